/** Maximum number of rows in a file. */
export const maxRows = 10_000;

/** A cell that no program for tables takes for a formula. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Rows as CSV. */
export function csvOf(rows: readonly (readonly (string | null | undefined)[])[]): string {
  return rows
    .map((row) => row.map((value) => cell(value ?? "")).join(","))
    .join("\r\n")
    .concat("\r\n");
}
