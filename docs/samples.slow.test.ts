import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommandLine } from "../packages/cli/src/command-line";
import { type Cluster, startCluster } from "../packages/server/test/postgres-cluster";
import { everyRun, type PageOptions, pageOptions } from "./samples/pages";
import { pages, readSamples, samplesOf } from "./samples/read-samples";
import { runPage } from "./samples/run-page";
import { openWorld, type World } from "./samples/world";

const isLong = process.env.HOLDFAST_TEST_LONG === "1";
const isDefaultRun = process.env.HOLDFAST_TEST_DEFAULT === "1";
const withCommands = pages()
  .filter((page) => samplesOf(page).some(({ language, notRun }) => language === "sh" && notRun === undefined))
  .filter((page) => !isDefaultRun || everyRun.includes(page));
const needy = withCommands.filter((page) => isLong || page in pageOptions);
const folder = mkdtempSync(join(tmpdir(), "holdfast-demo-"));
const demo = join(folder, "demo");
let shared: World;
let cluster: Cluster | undefined;

beforeAll(async () => {
  const quiet = spyOn(process.stderr, "write").mockReturnValue(true);
  expect(await runCommandLine(["demo", "--users", "20", "--tasks", "400", "--data-dir", demo])).toBe(0);
  quiet.mockRestore();
  shared = await openWorld({ data: demo, areReal: false });
  cluster = isLong ? await startDatabase() : undefined;
});
afterAll(async () => {
  await shared.remove();
  await cluster?.remove();
  rmSync(folder, { recursive: true });
});

/** Starts the empty database that pages call db.example.org. */
async function startDatabase(): Promise<Cluster> {
  const started = await startCluster();
  await started.createDatabase("holdfast");
  await started.query("create role postgres superuser login");
  return started;
}

test.each(withCommands.filter((page) => !needy.includes(page)))(
  "the commands of %s do what the page says",
  async (page) => {
    expect((await runPage(samplesOf(page), shared)).join("\n\n")).toBe("");
  },
  120_000,
);

test("commands that fail, refusals that a page does not show, and other answers than it shows are found", async () => {
  const fence = "```";
  const block = (language: string, text: string) => `${fence}${language}\n${text}\n${fence}\n\n`;
  const page = [
    block("sh", "curl -s http://127.0.0.1:8080/tasks"),
    block("sh", "curl -s http://127.0.0.1:8080/healthz"),
    block("json", '{"status":"ok","colour":"red"}'),
    block("sh", "echo It is late"),
    block("", "It is early"),
    block("sh", "npx holdfast token list --colour red"),
    block("sh", "echo never"),
  ].join("");
  const findings = await runPage(readSamples("wrong.md", page), shared);
  expect(findings.map((finding) => finding.split("\n")[0])).toEqual([
    "wrong.md:1: answered 401.",
    "wrong.md:9: the answer has no colour.",
    "wrong.md:17: the output has no line",
    "wrong.md:21: the commands failed.",
  ]);
});

test.each(needy.filter((page) => isLong || !pageOptions[page]?.isLong))(
  "the commands of %s do what the page says, on a service of its own",
  async (page) => {
    const { beginsEmpty, startsNothing, settings = {}, ...needs }: PageOptions = pageOptions[page] ?? {};
    const data = beginsEmpty ? undefined : demo;
    const world = await openWorld({ data, areReal: isLong && !startsNothing, settings });
    const findings = await runPage(samplesOf(page), world, {
      ...needs,
      postgres: cluster && { host: "127.0.0.1", port: cluster.port },
    });
    await world.remove();
    expect(findings.join("\n\n")).toBe("");
  },
  300_000,
);
