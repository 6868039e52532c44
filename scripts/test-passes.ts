/** How much is to be tested. */
export type Extent = "quick" | "usual" | "long";

/** One run of the tests over some of the files. */
export interface Pass {
  name: string;
  /** Whether it is shown as it comes. The others run beside those that are. */
  isShown: boolean;
  /** What follows `bun test`. */
  args: string[];
  environment: Record<string, string>;
}

/** What has to behave alike on both databases. */
const alikeOnBoth = [
  "packages/server/test/access",
  "packages/server/test/conformance",
  "packages/server/test/isolation",
  "packages/server/test/walk",
  "packages/server/test/threats",
  "packages/server/test/odd-input.test.ts",
  "packages/server/test/processes/one-database.slow.test.ts",
  "packages/server/test/processes/busy-walks.slow.test.ts",
  "packages/server/test/processes/ended-access.slow.test.ts",
  "packages/server/test/faults/exactly-once.slow.test.ts",
  "packages/server/test/proxies/rolling-restart.slow.test.ts",
  "packages/server/test/proxies/node-death.slow.test.ts",
];
const quickOnBoth = ["packages/server/test/conformance"];
/** What starts and kills processes, and mostly waits for them. Each file chooses its databases itself. */
const withProcesses = ["faults", "move", "processes", "proxies", "scale"].map((name) => `packages/server/test/${name}`);
/** What a distributed database does as well. It cannot tell whether anything was committed, so nothing is remembered. */
const onDistributed = ["--path-ignore-patterns=**/*memory*.test.ts", "packages/server/test/conformance"];

const timeouts = { quick: 30_000, usual: 30_000, long: 600_000 };
const environments = {
  // Fewer tries of what is tried at random, so that the quick part stays under a minute.
  quick: { HOLDFAST_TEST_RUNS: "0.2" },
  usual: {},
  long: { HOLDFAST_TEST_LONG: "1" },
};

/** What is tried at random was tried in full on SQLite, and takes several times as long elsewhere. */
function seldom(database: string, extent: Extent): Record<string, string> {
  return database === "sqlite" || extent === "long" ? {} : { HOLDFAST_TEST_RUNS: "0.3" };
}

/**
 * Everything once, on SQLite where one database is enough; then on PostgreSQL what has to behave alike on both, and some of
 * it as on a distributed database.
 */
export function passesOf(extent: Extent): Pass[] {
  const pass = (name: string, database: string, isShown: boolean, args: readonly string[]): Pass => ({
    name,
    isShown,
    args: [`--timeout=${timeouts[extent]}`, ...args],
    // Only with CI does Bun refuse a forgotten test.only, which would leave out all others.
    environment: { CI: "true", HOLDFAST_TEST_ON: database, ...seldom(database, extent), ...environments[extent] },
  });
  const leaveOut = (patterns: readonly string[]) => patterns.map((pattern) => `--path-ignore-patterns=${pattern}`);
  // Some tests look into the file that SQLite keeps, and break it.
  const notOnPostgres = "**/*sqlite*.test.ts";
  // Which database is behind a page, no browser can tell.
  const withBrowser = "**/*-in-a-browser*.test.ts";
  if (extent === "quick") {
    const slow = "**/*.slow.test.ts";
    return [
      pass("The quick tests, on SQLite.", "sqlite", true, leaveOut([slow])),
      pass("On PostgreSQL.", "postgres", false, [...leaveOut([slow, notOnPostgres]), ...quickOnBoth]),
    ];
  }
  return [
    pass("All tests but those of processes.", "sqlite", true, leaveOut(withProcesses.map((folder) => `${folder}/**`))),
    pass("What both databases do, on PostgreSQL.", "postgres", true, [
      ...leaveOut([notOnPostgres, withBrowser]),
      ...alikeOnBoth,
    ]),
    pass("Processes, faults and proxies.", "sqlite", false, withProcesses),
    pass("As on a distributed database.", "distributed", false, onDistributed),
  ];
}
