import type { Engine } from "../engine";
import { judge } from "./ending";
import { createReader } from "./progress";
import { recognise } from "./recognise";

export const borgmatic: Engine = { name: "borgmatic", programs: ["borgmatic"], recognise, createReader, judge };
