import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const fileName = "SHA256SUMS";

/** Writes the checksums of all files of a folder, in the form that `sha256sum --check` reads. */
export async function writeChecksums(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && entry.name !== fileName).map(({ name }) => name);
  const lines = names.sort().map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  await writeFile(join(folder, fileName), lines.join(""));
}

function sha256(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
