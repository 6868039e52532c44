import type { Engine } from "../engine";
import { parseVersionAfter } from "../versions";
import { judge } from "./ending";
import { additions, createReader } from "./progress";
import { recognise } from "./recognise";

export const rclone: Engine = {
  name: "rclone",
  programs: ["rclone"],
  recognise,
  version: { args: ["version"], parse: (output) => parseVersionAfter("rclone", output) },
  additions,
  createReader,
  judge,
};
