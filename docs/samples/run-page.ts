import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { prologue } from "./commands";
import { isCut } from "./is-cut";
import { moveToPlaces, type Places } from "./places";
import { placeOf, type Sample } from "./read-samples";
import type { World } from "./world";

/** Outcome of a block of commands. */
interface Outcome {
  exitCode: number;
  output: string;
  errors: string;
  /** The status of each answer to curl. */
  statuses: number[];
}

export interface PageNeeds {
  blanks?: (world: World) => Record<string, string>;
  /** Script that prepares the machine and sets variables before the page begins. */
  setUp?: string;
  postgres?: Places["postgres"];
  /** True if the ids of the page are made up, so that 404 is the right answer. */
  mayBeMissing?: boolean;
  environment?: Record<string, string>;
}

const pageTimeoutMs = 300_000;
/** Fields of parts that are null in some tasks, of what is protected and of an error, and the monitor that some belong to. */
const mayBeAbsent = ["value", "code", "message", "remedy", "monitor_id"];

/** Runs the commands of a page in one shell, in their order. Gives a sentence for each sample that is not as the page says. */
export async function runPage(samples: readonly Sample[], world: World, needs: PageNeeds = {}): Promise<string[]> {
  const places: Places = {
    root: world.root,
    port: world.port,
    isSmall: !world.areReal,
    postgres: needs.postgres,
    blanks: needs.blanks?.(world) ?? {},
  };
  const folder = join(world.root, "blocks", samples[0]?.page ?? "");
  mkdirSync(folder, { recursive: true });
  const canRun = (text: string) => needs.postgres !== undefined || !text.includes("@db.example.org");
  const runnable = samples.filter(
    ({ language, notRun, text }) => language === "sh" && notRun === undefined && canRun(text),
  );
  const fileOf = (sample: Sample, end: string) => join(folder, `${sample.line}.${end}`);
  for (const sample of runnable) writeFileSync(fileOf(sample, "sh"), moveToPlaces(sample.text, places));
  for (const { file, text } of samples) {
    const path = file === undefined ? undefined : resolve(world.root, "opt/holdfast", moveToPlaces(file, places));
    if (path?.startsWith(world.root)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, moveToPlaces(text, places));
    }
  }
  const script = [
    ...(needs.setUp === undefined ? [] : [`. '${folder}/set-up.sh' > '${folder}/set-up' 2>&1`]),
    ...runnable.map(
      (sample) =>
        `echo 1 > '${fileOf(sample, "exit")}'\n. '${fileOf(sample, "sh")}' > '${fileOf(sample, "out")}' 2> '${fileOf(sample, "err")}'\necho 0 > '${fileOf(sample, "exit")}'`,
    ),
  ].join("\n");
  writeFileSync(join(folder, "set-up.sh"), moveToPlaces(needs.setUp ?? "", places));
  const file = join(folder, "page.sh");
  writeFileSync(file, `${prologue}${script}\n`);
  const child = Bun.spawn(["sh", file], {
    cwd: join(world.root, "opt/holdfast"),
    env: { ...world.environment, ...needs.environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), pageTimeoutMs);
  const [trouble] = await Promise.all([child.stderr.text(), child.exited]);
  clearTimeout(timer);

  const outcomes = new Map<Sample, Outcome>();
  for (const sample of runnable) {
    if (existsSync(fileOf(sample, "exit")))
      outcomes.set(
        sample,
        readOutcome((end) => readFileSync(fileOf(sample, end), "utf8")),
      );
  }
  const setUp = existsSync(`${folder}/set-up`) ? readFileSync(`${folder}/set-up`, "utf8") : "";
  const isLost = runnable.length > 0 && outcomes.size === 0;
  return [
    ...(isLost ? [`${samples[0]?.page}: nothing was run. ${trouble}${setUp}`] : []),
    ...samples.flatMap((sample, index) => {
      const outcome = outcomes.get(sample);
      if (outcome) return judge(sample, outcome, samples[index + 1], needs.mayBeMissing ?? false);
      const before = samples[index - 1];
      const asked = before && outcomes.get(before);
      return asked ? compareAnswer(sample, before, asked, { places, world }) : [];
    }),
  ];
}

function readOutcome(read: (end: string) => string): Outcome {
  const errors = read("err");
  return {
    exitCode: Number(read("exit")),
    output: read("out"),
    errors: errors.replaceAll(/\n?sample-status [0-9]+\n/g, ""),
    statuses: [...errors.matchAll(/^sample-status ([0-9]+)$/gm)].map(([, status]) => Number(status)),
  };
}

/** A refusal is right only where the page shows it next. */
function judge(
  sample: Sample,
  { exitCode, output, errors, statuses }: Outcome,
  next: Sample | undefined,
  mayBeMissing: boolean,
): string[] {
  const said = [output.slice(-600), errors.slice(-600)].join("\n").trim();
  if (exitCode !== 0) return [`${placeOf(sample)}: the commands failed.\n${said}`];
  // A backup ends as its engine does, whether or not the service heard of it.
  if (/not reported|spool|deliver/i.test(errors)) return [`${placeOf(sample)}: the run was not reported.\n${said}`];
  const refused = statuses.filter((status) => status >= 400 && !(mayBeMissing && status === 404));
  const isShown = (status: number) => next?.text.includes(`"error_code":${status}`) ?? false;
  return refused.every(isShown) ? [] : [`${placeOf(sample)}: answered ${refused.join(", ")}.\n${said}`];
}

/** Compares what a page shows after commands with what they gave: the keys of JSON, or the first line. */
function compareAnswer(
  sample: Sample,
  asked: Sample,
  { output, errors, statuses }: Outcome,
  { places, world }: { places: Places; world: World },
): string[] {
  const isRefusal = sample.text.includes('"error_code"');
  if (!sample.isNear || sample.notRun !== undefined || (isRefusal && !statuses.some((status) => status >= 400)))
    return [];
  if (sample.language === "json") {
    const given = new Set(keysOf(output));
    const named = keysOf(sample.text);
    // Where an answer is cut off, its last fields may be beyond the cut.
    const sure = isCut(sample.text) ? named.slice(0, Math.ceil(named.length * 0.7)) : named;
    const strange = sure.filter((key) => !given.has(key) && !mayBeAbsent.includes(key));
    const shown = topLevel(sample.text);
    const missing = shown
      ? (topLevel(output) ?? []).filter((key) => !shown.includes(key) && !mayBeAbsent.includes(key))
      : [];
    return [
      ...(strange.length > 0
        ? [`${placeOf(sample)}: the answer has no ${strange.join(", ")}.\n${output.slice(0, 600)}`]
        : []),
      ...(missing.length > 0 ? [`${placeOf(sample)}: the answer also has ${missing.join(", ")}.`] : []),
    ];
  }
  // A service that was not started says nothing.
  const isQuiet = !world.areReal && / serve\b/.test(asked.text);
  if (!["", "text"].includes(sample.language) || isQuiet) return [];
  // A word that is cut short says little of what it was.
  const first = alike((moveToPlaces(sample.text, places).split("\n")[0] ?? "").replace(/\S*….*/, ""));
  return alike(`${output}\n${errors}`).includes(first)
    ? []
    : [`${placeOf(sample)}: the output has no line\n${first}\nbut\n${alike(`${output}\n${errors}`).slice(0, 600)}`];
}

/** The names of the fields of one whole JSON object; nothing of anything else. */
function topLevel(text: string): string[] | undefined {
  try {
    return Object.keys(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function keysOf(json: string): string[] {
  return [...json.matchAll(/"([a-z0-9_]+)": ?(?=["[{0-9tfn…-])/g)].map(([, key = ""]) => key);
}

/** Text without what differs from run to run: numbers, ids, and how wide columns are. */
function alike(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "#")
    .replaceAll(/hf-[\w-]+/g, "#")
    .replaceAll(/#[\w-]{6,}(\.\.\.)?/g, "#")
    .replaceAll(/[0-9]+([.,:][0-9]+)*/g, "0")
    .replaceAll(/0 [kMG]?B/g, "0 B")
    .replaceAll(/[ \t]+/g, " ")
    .trim();
}
