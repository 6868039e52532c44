/** How much is to be tested. */
export type Extent = "quick" | "usual" | "long";

/** One run of the tests over some of the files. */
export interface Pass {
  name: string;
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
];
const quickOnBoth = ["packages/server/test/conformance"];
/** What a distributed database does as well. It cannot tell whether anything was committed, so nothing is remembered. */
const onDistributed = ["--path-ignore-patterns=**/*memory*.test.ts", "packages/server/test/conformance"];

const timeouts = { quick: 30_000, usual: 30_000, long: 600_000 };
const environments = {
  // Fewer tries of what is tried at random, so that the quick part stays under a minute.
  quick: { HOLDFAST_TEST_RUNS: "0.2" },
  usual: {},
  long: { HOLDFAST_TEST_LONG: "1" },
};

/** Everything on SQLite, then on PostgreSQL what has to behave alike on both, and some of it as on a distributed database. */
export function passesOf(extent: Extent): Pass[] {
  const leftOut = extent === "quick" ? ["--path-ignore-patterns=**/*.slow.test.ts"] : [];
  const pass = (name: string, database: string, args: readonly string[]): Pass => ({
    name,
    args: [`--timeout=${timeouts[extent]}`, ...leftOut, ...args],
    // Only with CI does Bun refuse a forgotten test.only, which would leave out all others.
    environment: { CI: "true", HOLDFAST_TEST_ON: database, ...environments[extent] },
  });
  return [
    pass("All tests, on SQLite where they need a database.", "sqlite", []),
    pass(
      "The tests of what both databases do, on PostgreSQL.",
      "postgres",
      // Some tests look into the file that SQLite keeps, and break it.
      ["--path-ignore-patterns=**/*sqlite*.test.ts", ...(extent === "quick" ? quickOnBoth : alikeOnBoth)],
    ),
    ...(extent === "quick"
      ? []
      : [pass("What is asked most, on PostgreSQL taken for a distributed database.", "distributed", onDistributed)]),
  ];
}
