/** Records the hashes of new steps of the schema, and with --changed those of all: bun scripts/record-steps.ts [--changed] */
import { hashFile, hashOf, readHashes, readSteps } from "./checks/schema-steps";

const recorded = process.argv.includes("--changed") ? {} : await readHashes();
const found = (await readSteps()).map((file) => [file.path, hashOf(file)] as const);
const hashes = { ...Object.fromEntries(found), ...recorded };
await Bun.write(hashFile, `${JSON.stringify(hashes, null, 2)}\n`);
