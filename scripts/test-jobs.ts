import { basename } from "node:path";

/** Extents of a run, the smallest first. */
const extents = ["quick", "default", "long"] as const;
export type Extent = (typeof extents)[number];

/** One run of `bun test` over some files on one database. */
export interface Job {
  database: "sqlite" | "postgres";
  files: string[];
}

/** So many quick files share a process. */
const filesOfJob = 40;

/** Finds every file that `bun test` would take for one of tests, by its path from the workspace. */
export async function findTestFiles(): Promise<string[]> {
  const files = await Array.fromAsync(new Bun.Glob("**/*{.test,_test,.spec,_spec}.{ts,tsx,js,jsx}").scan());
  return files.filter((file) => !file.includes("node_modules/")).sort();
}

/** The tags of a test file: what stands between its name and `.test.ts`. */
function tagsOf(file: string): string[] {
  return basename(file).split(".").slice(1, -2);
}

/** True if a tag holds for a file: with `-quick` in every run, as it is in all but the quick one, with `-long` in the long one. */
function holds(tag: string, file: string, extent: Extent): boolean {
  const forms = [`${tag}-quick`, tag, `${tag}-long`].slice(0, extents.indexOf(extent) + 1);
  return tagsOf(file).some((one) => forms.includes(one));
}

const isSlow = (file: string) => tagsOf(file).some((tag) => ["slow", "long", "alone"].includes(tag));

/** Shares all test files out to jobs: each slow one first, which has its own, and then the others, some in each. */
export function jobsOf(extent: Extent, files: readonly string[]): { shared: Job[]; alone: Job[] } {
  const jobsOn = (database: Job["database"]) => {
    const here = files.filter((file) => database === "sqlite" || holds("pg", file, extent));
    const slow = here.filter((file) => isSlow(file) && (extent === "long" || !tagsOf(file).includes("long")));
    const quick = here.filter((file) => !isSlow(file));
    return {
      slow: extent === "quick" ? [] : slow.map((file) => ({ database, files: [file] })),
      quick: deal(quick, Math.ceil(quick.length / filesOfJob)).map((group) => ({ database, files: group })),
    };
  };
  // Longer jobs come first, so that no worker waits long for the last of them.
  const all = [jobsOn("postgres"), jobsOn("sqlite")];
  const slow = all.flatMap((jobs) => jobs.slow);
  const isAlone = (job: Job) => job.files.some((file) => holds("alone", file, extent));
  const beside = slow.filter((job) => !isAlone(job));
  // Neighbours are alike: they would all work, or all wait, at the same time.
  return { shared: [...deal(beside, 8).flat(), ...all.flatMap(({ quick }) => quick)], alone: slow.filter(isAlone) };
}

/** Deals out like cards. */
function deal<One>(all: readonly One[], hands: number): One[][] {
  return Array.from({ length: hands }, (_, hand) => all.filter((_, index) => index % hands === hand));
}
