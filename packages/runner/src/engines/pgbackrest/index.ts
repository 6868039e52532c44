import type { Engine } from "../engine";
import { parseVersionAfter } from "../versions";
import { judge } from "./ending";
import { createReader, poll } from "./progress";
import { recognise } from "./recognise";

export const pgbackrest: Engine = {
  name: "pgbackrest",
  programs: ["pgbackrest"],
  recognise,
  version: { args: ["version"], parse: (output) => parseVersionAfter("pgBackRest", output) },
  createReader,
  judge,
  poll,
};
