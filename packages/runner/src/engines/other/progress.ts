import { createDiagnostics } from "../diagnostics";
import type { Reader } from "../engine";
import { createPlainReader } from "../plain-reader";
import { errorLine, signs } from "./errors";

export function createReader(): Reader {
  return createPlainReader(createDiagnostics(signs, errorLine));
}
