import type { Engine } from "../engine";
import { judge } from "./ending";
import { createReader } from "./progress";
import { recognise } from "./recognise";

/** Every command that is no engine. */
export const other: Engine = { name: "other", programs: [], recognise, createReader, judge };
