import type { DocumentedBodyField, DocumentedField } from "@holdfast/api/reference/fields";
import { code, table } from "./markdown";

/** The fields of something that is answered. */
export function fieldTable(fields: readonly DocumentedField[], heading = "Field"): string {
  return table(
    [heading, "Type", "Meaning"],
    fields.map(({ name, type, description }) => [code(name), type, description]),
  );
}

/** The fields of something that is sent. */
export function bodyTable(fields: readonly DocumentedBodyField[]): string {
  return table(
    ["Field of the body", "Type", "Needed", "Meaning"],
    fields.map(({ name, type, isNeeded, description }) => [code(name), type, isNeeded ? "yes" : "", description]),
  );
}
