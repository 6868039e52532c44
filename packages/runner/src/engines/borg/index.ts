import type { Engine } from "../engine";
import { parseVersionAfter } from "../versions";
import { judge } from "./ending";
import { additions, createReader } from "./progress";
import { recognise } from "./recognise";

export const borg: Engine = {
  name: "borg",
  programs: ["borg", "borg2"],
  recognise,
  version: { args: ["--version"], parse: (output) => parseVersionAfter("borg", output) },
  additions,
  createReader,
  judge,
};
