import type { Reader } from "../engine";
import { createPlainReader } from "../plain-reader";
import { createSeen } from "../seen";
import { errorLine, signs } from "./errors";

export function createReader(): Reader {
  return createPlainReader(createSeen(signs, errorLine));
}
