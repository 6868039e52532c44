import { expect, test } from "bun:test";
import { hashOf, schemaSteps, stepFaults } from "./schema-steps";

const path = "packages/server/src/database/migrations/0007-colours.ts";
const step = { path, text: "export const sqlite = `create table colours (id text);`;" };
const hashes = { [path]: hashOf(step) };

test("a step that is as it was recorded passes", () => {
  expect(stepFaults([step], hashes)).toEqual([]);
});

test("a step that was edited is found, and the sentence says what to do instead", () => {
  const edited = { path, text: step.text.replace("id text", "id text not null") };
  expect(stepFaults([edited], hashes)).toEqual([
    `${path} has changed. A step that a database has made is not made again: write what you change as a new step. Until the first release: bun scripts/record-steps.ts --changed, and then keep its data again with bun packages/server/test/upgrades/keep-data.ts .`,
  ]);
});

test("a step that was removed or renamed is found", () => {
  const renamed = { ...step, path: path.replace("0007", "0008") };
  expect(stepFaults([renamed], hashes)).toEqual([
    `${path} is missing, and databases have made this step. Put it back.`,
    `${renamed.path} is not recorded. When it is complete: bun scripts/record-steps.ts`,
  ]);
});

test("a step may import its own files and nothing else", () => {
  const importing = (text: string) => stepFaults([{ path, text }], { [path]: hashOf({ path, text }) });
  expect(importing('export { sqlite } from "./0007-colours/sqlite";')).toEqual([]);
  const fault = (from: string) => `${path} imports ${from}, which may change. Write what the step does as literal SQL.`;
  expect(importing('import { text } from "../columns"; export const sqlite = text;')).toEqual([fault("../columns")]);
  expect(importing('export { sqlite } from "./0006-shapes";')).toEqual([fault("./0006-shapes")]);
  expect(importing('const { sql } = await import("kysely");')).toEqual([fault("kysely")]);
});

test("the steps of this repository pass", async () => {
  expect(await schemaSteps.find()).toEqual([]);
});
