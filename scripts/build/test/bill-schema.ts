import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { workspace } from "../locked-packages";

const folder = join(workspace, "node_modules/@cyclonedx/cyclonedx-library/res/schema");
const read = (name: string): object => JSON.parse(readFileSync(join(folder, `${name}.SNAPSHOT.schema.json`), "utf8"));

/** Faults that the schema of CycloneDX 1.6 finds in a bill of materials. */
export function faultsOfBill(bill: unknown): string[] {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  for (const name of ["spdx", "jsf-0.82", "cryptography-defs"])
    ajv.addSchema(read(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const check = ajv.compile(read("bom-1.6"));
  check(bill);
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
