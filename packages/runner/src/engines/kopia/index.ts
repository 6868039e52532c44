import type { Engine } from "../engine";
import { judge } from "./ending";
import { createReader } from "./progress";
import { recognise } from "./recognise";

export const kopia: Engine = { name: "kopia", programs: ["kopia"], recognise, createReader, judge };
