import type { Engine } from "../engine";
import { parseVersionAfter } from "../versions";
import { judge } from "./ending";
import { createReader } from "./progress";
import { recognise } from "./recognise";

export const tar: Engine = {
  name: "tar",
  programs: ["tar", "gtar", "bsdtar"],
  recognise,
  version: { args: ["--version"], parse: (output) => parseVersionAfter("tar", output) },
  createReader,
  judge,
};
