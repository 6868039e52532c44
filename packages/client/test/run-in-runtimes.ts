import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Results } from "./scenarios/run-scenarios";
import type { Place } from "./scenarios/world";
import { startBrowser } from "./start-browser";
import type { RunningHoldfast } from "./start-holdfast";

const scenarios = JSON.stringify(join(import.meta.dir, "scenarios/run-scenarios.ts"));
const oldestNode = 20;
const installedNode = "22.23.3";

/** Results of the scenarios in another runtime, and errors outside of them. */
export interface Run {
  results: Results;
  /** Errors that no call has thrown. */
  stray: string[];
  /** Time that the runtime took to end by itself, in milliseconds. */
  lingered: number;
}

/** Bundles code that uses the scenarios, as a program that uses the client would be. */
async function bundle(code: string, target: "node" | "browser"): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-bundle-"));
  try {
    const entry = join(folder, "entry.ts");
    await Bun.write(entry, code);
    const { outputs } = await Bun.build({ entrypoints: [entry], target, format: "esm" });
    const [bundled] = outputs;
    if (!bundled) throw new Error("Nothing was bundled.");
    return await bundled.text();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The program `node`. Where the machine's own is too old, as on Debian 12, one comes from the registry of npm. */
function findNode(): string {
  const own = Bun.which("node");
  const version = own ? Bun.spawnSync([own, "--version"]).stdout.toString() : "";
  return own && Number(/^v(\d+)/.exec(version)?.[1]) >= oldestNode ? own : installNode();
}

function installNode(): string {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(tmpdir(), `holdfast-${name}-${installedNode}`);
  const node = join(folder, "node_modules", name, "bin/node");
  if (existsSync(node)) return node;
  const { exitCode, stderr } = Bun.spawnSync(["npm", "install", "--prefix", folder, `${name}@${installedNode}`]);
  if (exitCode === 0 && existsSync(node)) return node;
  throw new Error(`The client is tested on Node ${oldestNode} or newer. Install it. npm could not: ${stderr}`);
}

/** Runs the scenarios in Node. It is left to end by itself, so that a timer or a connection that is left over shows. */
export async function runInNode(place: Place): Promise<Run> {
  const node = findNode();
  const folder = mkdtempSync(join(tmpdir(), "holdfast-node-"));
  const file = join(folder, "scenarios.mjs");
  await Bun.write(
    file,
    await bundle(
      `import { runScenarios } from ${scenarios};
       const stray: string[] = [];
       process.on("unhandledRejection", (error) => stray.push(String(error)));
       process.on("warning", (warning) => stray.push(String(warning)));
       const results = await runScenarios(JSON.parse(process.argv[2]));
       const endedAt = performance.now();
       process.on("exit", () =>
         console.log(JSON.stringify({ results, stray, lingered: performance.now() - endedAt })));
       // A failed scenario may have left something open.
       if (Object.values(results).some((result) => result !== "passed")) process.exit();`,
      "node",
    ),
  );
  const child = Bun.spawn([node, file, JSON.stringify(place)], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  rmSync(folder, { recursive: true });
  if (output === "") throw new Error(`Node has said nothing: ${errors}`);
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}

/** Runs the scenarios in Chromium, in a page of the service, as the first owner who has just signed in there. */
export async function runInBrowser({ place, firstOwnerSecret }: RunningHoldfast): Promise<Run> {
  const browser = await startBrowser();
  try {
    // The service's own pages forbid scripts that are not theirs.
    const page = await (await browser.newContext({ bypassCSP: true })).newPage();
    const stray: string[] = [];
    page.on("pageerror", (error) => stray.push(String(error)));
    await page.goto(`${place.baseUrl}/docs`);
    const script = `import { runScenarios } from ${scenarios};
      import { connect } from ${JSON.stringify(join(import.meta.dir, "../src/index.ts"))};
      import { signInAgain } from ${JSON.stringify(join(import.meta.dir, "scenarios/sign-in-again.ts"))};
      Object.assign(globalThis, { runScenarios, connect, signInAgain });`;
    await page.addScriptTag({ type: "module", content: await bundle(script, "browser") });
    await page.waitForFunction("typeof runScenarios === 'function'");
    const { baseUrl, closedUrl } = place;
    const owner = { secret: firstOwnerSecret, email: "first@example.com", full_name: "First", password: passphrase };
    const signIn = { method: "post", body: owner };
    await page.evaluate(
      `connect(${JSON.stringify({ session: true, baseUrl })}).request("/first-owner", ${JSON.stringify(signIn)})`,
    );
    const results = await page.evaluate<Results>(`runScenarios(${JSON.stringify({ baseUrl, closedUrl, atOnce: 2 })})`);
    const again = [baseUrl, owner.email, owner.password].map((one) => JSON.stringify(one)).join(", ");
    results[signedInAgain] = await page.evaluate<string>(`signInAgain(${again})`);
    return { results, stray, lingered: 0 };
  } finally {
    await browser.close();
  }
}

/** Scenario that only a browser can run. */
export const signedInAgain = "a page keeps working when its person has signed in again elsewhere";

const passphrase = "nine grey herons over the weir";
