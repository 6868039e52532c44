import type { Engine } from "../engine";
import { parseVersionAfter } from "../versions";
import { judge } from "./ending";
import { additions, createReader } from "./progress";
import { recognise } from "./recognise";

export const restic: Engine = {
  name: "restic",
  programs: ["restic"],
  recognise,
  version: { args: ["version"], parse: (output) => parseVersionAfter("restic", output) },
  additions,
  createReader,
  judge,
};
