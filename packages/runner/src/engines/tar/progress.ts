import { createDiagnostics } from "../diagnostics";
import type { Reader } from "../engine";
import { createPlainReader } from "../plain-reader";
import { errorLine, signs } from "./errors";

/** tar does not say how far it is. */
export function createReader(): Reader {
  return createPlainReader(createDiagnostics(signs, errorLine));
}
