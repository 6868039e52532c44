import { type ErrorName, errorCatalogue, statusOf } from "../conventions/error-catalogue";

export interface DocumentedError {
  name: ErrorName;
  status: number;
  code: number;
  meaning: string;
}

/** The error catalogue, by code. */
export function documentedErrors(): DocumentedError[] {
  const errors: DocumentedError[] = [];
  let name: ErrorName;
  for (name in errorCatalogue) errors.push({ name, status: statusOf(name), ...errorCatalogue[name] });
  return errors.sort((a, b) => a.code - b.code);
}
