import { expect } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { control, variation } from "../packages/server/test/runs";
import { pages, repository, samplesOf } from "./samples/read-samples";

/** Code before each sample: it declares what samples use without declaring it. */
const given = `import { type Client, connect, etagOf, HoldfastError } from "@holdfast/client";
import { reportTask } from "@holdfast/client/report";
declare const holdfast: Client;
declare const token: string, taskId: string, roleId: string, unitId: string, userId: string, email: string, password: string;
export { connect, etagOf, HoldfastError, reportTask, token, taskId, roleId, unitId, userId, email, password, holdfast };
`;

const samples = pages()
  .filter((page) => page.startsWith("docs/how-to/"))
  .flatMap(samplesOf)
  // Files of the repository are compiled where they belong: engine-example.slow.test.ts.
  .filter(({ language, text }) => language === "ts" && !text.startsWith("// packages/"));

/** A sample as a function of its own, below its imports. */
function fileOf(text: string): string {
  const imports = text.match(/^import .*$/gm)?.join("\n") ?? "";
  const body = text.replaceAll(/^import .*$/gm, "").replaceAll(/^export /gm, "");
  return `${given}${imports.replaceAll(/^import \{.*@holdfast\/client.*$/gm, "")}\nexport async function sample() {\n${body}\n}\n`;
}

/** Compiles samples as if they lay in the folder of the checkout, and gives what is wrong. */
async function compile(texts: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-samples-"));
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  for (const [index, text] of texts.entries()) writeFileSync(join(folder, `sample-${index}.ts`), fileOf(text));
  const compilerOptions = { lib: ["ESNext", "DOM", "DOM.AsyncIterable"] };
  const config = { extends: join(repository, "tsconfig.json"), compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(repository, "node_modules/types-check/bin/tsc");
  const child = Bun.spawn([compiler, "--noEmit", "--pretty", "false"], { cwd: folder, stdout: "pipe", stderr: "pipe" });
  const [output] = await Promise.all([child.stdout.text(), child.exited]);
  rmSync(folder, { recursive: true });
  return output;
}

variation(
  "the samples of the client in the how-to guides compile",
  async () => {
    expect(samples.length).toBeGreaterThan(8);
    expect(await compile(samples.map(({ text }) => text))).toBe("");
  },
  60_000,
);

control(
  "a sample with a wrong field is found",
  async () => {
    const wrong = 'await holdfast.tasks.list({ filter: { colour: "red" } }).first(1);';
    expect(await compile([wrong])).toContain("colour");
  },
  60_000,
);
