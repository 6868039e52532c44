import { afterAll, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDice, type Dice, elementAt } from "../../../server/test/random";
import { size, timeLimit } from "../../../server/test/runs";
import { endOf, run, runnerOf, until } from "./runner";
import { openRunWorld, type ShownTask } from "./service";

const world = await openRunWorld();
afterAll(world.close);
const { token: viewer } = await world.beside.serviceToken("viewer");

const [firstBytes, lastBytes] = [64 * 1024, 256 * 1024];

/** A log as the service has it: its parts, and what is missing between them. */
interface KeptLog {
  parts: { offset: number; bytes: Buffer }[];
  gaps: { from: number; to: number }[];
  size: number;
}

async function readKept({ id }: ShownTask): Promise<KeptLog> {
  const kept: KeptLog = { parts: [], gaps: [], size: 0 };
  for (let offset = 0, isMore = true; isMore; ) {
    const { body } = await world.service().ask(`/tasks/${id}/log?offset=${offset}&limit=1048576`, { token: viewer });
    kept.parts.push({ offset: body.offset, bytes: Buffer.from(body.text) });
    kept.gaps.push(...(body.dropped === null ? [] : [body.dropped]));
    kept.size = body.size;
    isMore = body.next_offset > offset && body.next_offset < body.size;
    offset = body.next_offset;
  }
  return kept;
}

/** Faults of a log of which the output is known: nothing may differ, and every missing part must be marked. */
function faultsOf({ parts, gaps, size: known }: KeptLog, output: Buffer): string[] {
  const faults: string[] = [];
  let at = 0;
  for (const { offset, bytes } of parts) {
    const isSaid = gaps.some(({ from, to }) => from === at && to === offset);
    if (offset !== at && !isSaid) faults.push(`nothing says that ${at} to ${offset} are missing`);
    if (!output.subarray(offset, offset + bytes.length).equals(bytes)) faults.push(`other text at ${offset}`);
    at = offset + bytes.length;
  }
  if (at !== known) faults.push(`it ends at ${at}, not at ${known}`);
  return faults;
}

/** Bytes that are missing at both ends of a log. */
function missingEnds({ parts, size: known }: KeptLog, output: Buffer): string[] {
  const has = (from: number, to: number) => coveredBy(parts, from) >= to;
  return [
    ...(known === output.length ? [] : [`it has ${known} bytes, not ${output.length}`]),
    ...(has(0, Math.min(firstBytes, output.length)) ? [] : ["the beginning is missing"]),
    ...(has(Math.max(0, output.length - lastBytes), output.length) ? [] : ["the end is missing"]),
  ];
}

/** Up to which byte parts follow each other from a position on. */
function coveredBy(parts: KeptLog["parts"], from: number): number {
  let at = from;
  for (const { offset, bytes } of parts) {
    if (offset <= at) at = Math.max(at, offset + bytes.length);
  }
  return at;
}

test("the last words of a command that has written too much are in its log, and the gap before them is said", async () => {
  const output = join(world.path, "output");
  const script = `head -c 1500000 /dev/urandom | base64 | tee ${output}; echo "FATAL: the reason"; exit 7`;
  const { exitCode } = await world.run(["--name", "flood", "--log", "all"], ["sh", "-c", script]);
  expect(exitCode).toBe(7);
  const task = await world.taskNamed("flood");
  const kept = await readKept(task);
  const written = Buffer.concat([Buffer.from(await Bun.file(output).bytes()), Buffer.from("FATAL: the reason\n")]);
  expect([faultsOf(kept, written), missingEnds(kept, written)]).toEqual([[], []]);
  expect(kept.gaps.length).toBeGreaterThan(0);
  const text = await world.service().ask(`/tasks/${task.id}/log`, { token: viewer, accept: "text/plain" });
  expect(text.text).toMatch(/\n\[\d+ bytes are missing here\]\n/);
  expect(text.text).toEndWith("\nFATAL: the reason\n");
}, 120_000);

test("tar's error stands at the end of the list of a large folder", async () => {
  const folder = join(world.path, "many");
  const make = `mkdir -p ${folder} && cd ${folder} && seq -f 'a-file-with-a-long-name-%06g' 40000 | xargs touch`;
  expect((await world.run(["--engine", "none"], ["sh", "-c", make])).exitCode).toBe(0);
  const command = ["tar", "-cvf", join(world.path, "x.tar"), folder, "/nosuchfolder"];
  const { exitCode } = await world.run(["--name", "tar"], command);
  expect(exitCode).toBe(2);
  const log = await world.logOf(await world.taskNamed("tar"));
  expect(log).toContain("tar: /nosuchfolder: Cannot stat: No such file or directory");
  expect(log).toContain("a-file-with-a-long-name-");
}, 120_000);

test("a million lines of one character cost a command less than a second", async () => {
  const lines = ["sh", "-c", "yes | head -n 1000000"];
  const timed = async (argv: readonly string[]) => {
    const startedAt = performance.now();
    const { stdout } = await run(argv, { cwd: world.path });
    expect(stdout.length).toBe(2_000_000);
    return performance.now() - startedAt;
  };
  const wrapped = [...runnerOf(join(world.path, "spool of lines"), "--log", "all"), ...lines];
  // The lowest of some: other work on the machine makes a run slower, never quicker.
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < 3; round++) {
    bare.push(await timed(lines));
    ours.push(await timed(wrapped));
  }
  expect(Math.min(...ours) - Math.min(...bare)).toBeLessThan(timeLimit(1_000));
}, 120_000);

/** Output of some kind: short lines, long ones, characters of several bytes, control characters. */
function randomOutput(dice: Dice): string {
  const kinds = [
    () => `${dice(1_000_000)}\n`,
    () => `${"x".repeat(dice(3_000))}\n`,
    () => "grün € \u{1f600}\n".repeat(1 + dice(40)),
    () => "\u001b[1m\u0001\t".repeat(1 + dice(100)),
  ];
  const wanted = dice(3) === 0 ? dice(50_000) : dice(2_500_000);
  let text = "";
  while (text.length < wanted) text += elementAt(kinds, dice(kinds.length))();
  return text;
}

interface Trial {
  dice: Dice;
  name: string;
  flags: readonly string[];
  /** The script that writes the output, without its end. */
  script: string;
}

/** Ways in which a run ends. True: all of its output has to be there, as far as it is kept. */
const endings: Record<string, (trial: Trial) => Promise<boolean>> = {
  async "an exit code"({ name, flags, script, dice }) {
    await world.run(["--name", name, ...flags], ["sh", "-c", `${script}; exit ${dice(4)}`]);
    return true;
  },
  async "a signal"({ name, flags, script }) {
    await world.run(["--name", name, ...flags], ["sh", "-c", `${script}; kill -KILL $$`]);
    return true;
  },
  async "a service that is away at the end"({ name, script }) {
    await world.away();
    await world.run(["--name", name, "--quiet"], ["sh", "-c", script]);
    await world.back();
    await until(async () => (await world.deliver()).exitCode === 0);
    return true;
  },
  async "a service that is away meanwhile"({ name, flags, script }) {
    const child = world.start(
      ["--name", name, "--linger", "60s", ...flags],
      ["sh", "-c", `sleep 1; ${script}; sleep 2`],
    );
    await until(() => world.taskNamed(name));
    await world.away();
    await Bun.sleep(1_500);
    await world.back();
    await endOf(child);
    return true;
  },
  async "a runner that is killed"({ name, script, dice }) {
    const child = world.start(["--name", name], ["sh", "-c", `${script}; sleep 6`]);
    await until(() => world.taskNamed(name));
    await Bun.sleep(dice(2_000));
    child.kill("SIGKILL");
    await child.exited;
    await until(async () => (await world.deliver()).exitCode === 0);
    return false;
  },
  async "a runner that is killed when all is in the spool"({ name, script }) {
    const written = join(world.path, name.replace(":", ""));
    await world.away();
    const child = world.start(["--name", name, "--quiet"], ["sh", "-c", `${script}; touch '${written}'; sleep 15`]);
    await until(() => existsSync(written));
    // Written output is in the spool after five seconds at the latest.
    await Bun.sleep(6_000);
    child.kill("SIGKILL");
    await child.exited;
    await world.back();
    await until(async () => (await world.deliver()).exitCode === 0);
    return true;
  },
};

const trials = size({ default: Object.keys(endings).length, long: 100 });

test(`R20: of ${trials} random floods with random endings, with and without a spool, the first 64 KiB and the last 256 KiB are there and every gap is said`, async () => {
  const dice = createDice(Number(process.env.HOLDFAST_TEST_SEED ?? 32));
  const found: object[] = [];
  for (let trial = 0; trial < trials; trial++) {
    const [ending, end] = elementAt(Object.entries(endings), trial);
    const name = `trial ${trial}: ${ending}`;
    const outputs = Array.from({ length: 1 + dice(3) }, () => randomOutput(dice));
    const script = outputs.map((text, at) => {
      const path = join(world.path, `output-${at}`);
      writeFileSync(path, text);
      return `cat ${path} >&2; sleep 0.${dice(6)}`;
    });
    writeFileSync(join(world.path, "no-folder"), "");
    const flags = dice(2) === 0 ? [] : ["--quiet", "--spool-dir", join(world.path, "no-folder/spool")];
    const isWhole = await end({ dice, name, flags, script: script.join("; ") });
    const output = Buffer.from(outputs.join(""));
    const kept = await readKept(await world.taskNamed(name));
    const faults = [...faultsOf(kept, output), ...(isWhole ? missingEnds(kept, output) : [])];
    found.push(...(faults.length === 0 ? [] : [{ name, flags, bytes: output.length, faults }]));
  }
  expect(found).toEqual([]);
}, 3_600_000);
