import type { Engine } from "../engine";
import { parseVersionAfter } from "../versions";
import { judge } from "./ending";
import { additions, createReader } from "./progress";
import { recognise } from "./recognise";

export const rsync: Engine = {
  name: "rsync",
  programs: ["rsync"],
  recognise,
  version: { args: ["--version"], parse: (output) => parseVersionAfter("rsync  version", output) },
  additions,
  createReader,
  judge,
};
