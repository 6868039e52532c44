import { secondsOf, type TestedDatabase } from "./test-seconds";

/** How much is to be tested. */
export type Extent = "quick" | "usual" | "long";

/** One run of `bun test` over some files on one database. */
export interface Job {
  database: TestedDatabase;
  files: string[];
  /** Whether nothing else may run meanwhile. */
  isAlone: boolean;
  /** Whether it leaves the processor to others for nearly all of its time. */
  mostlyWaits: boolean;
  /** Whether its files have to lie on a disk. The others may lie in memory, where a flush costs nothing. */
  needsDisk: boolean;
  /** About how long it takes. The longest begin first. */
  seconds: number;
  /** What follows `bun test`. */
  args: string[];
  environment: Record<string, string>;
}

/** What has to behave alike on both databases. */
export const alikeOnBoth = [
  "packages/server/test/access/",
  "packages/server/test/conformance/",
  "packages/server/test/isolation/",
  "packages/server/test/walk/",
  "packages/server/test/reports/",
  "packages/server/test/streams/",
  "packages/server/test/threats/",
  "packages/server/test/truth/clock-steps.slow.test.ts",
  "packages/server/test/truth/life-cycle-over-http.test.ts",
  "packages/server/test/truth/written-together.test.ts",
  "packages/server/test/metrics/",
  "packages/server/test/monitors/",
  "packages/server/test/entities/",
  "packages/server/test/webhooks/",
  "packages/server/test/upgrades/",
  "packages/server/test/odd-input.test.ts",
  "packages/server/test/processes/one-database.slow.test.ts",
  "packages/server/test/processes/busy-walks.slow.test.ts",
  "packages/server/test/processes/ended-access.slow.test.ts",
  "packages/server/test/faults/exactly-once.slow.test.ts",
  "packages/server/test/proxies/rolling-restart.slow.test.ts",
  "packages/server/test/proxies/node-death.slow.test.ts",
];

/** What would pass or fail on PostgreSQL just as it did on SQLite: no statement of it reaches a database, or any would do. */
export const noDatabaseChangesIt = [
  // Connections, headers and bodies, refused or cut before anything is read from a database.
  "packages/server/test/threats/costly-headers.slow.test.ts",
  "packages/server/test/threats/slow-clients.slow.test.ts",
  "packages/server/test/threats/half-sent-bodies.slow.test.ts",
  "packages/server/test/threats/smuggling.slow.test.ts",
  "packages/server/test/threats/trailers.slow.test.ts",
  "packages/server/test/threats/port.slow.test.ts",
  "packages/server/test/threats/caching-proxy.slow.test.ts",
  // Signals and the end of a process. The restart behind proxies ends it on PostgreSQL, under load.
  "packages/server/test/threats/shutdown.slow.test.ts",
  // When a stream is closed, and how often it says that it is open.
  "packages/server/test/streams/listening.slow.test.ts",
  // The claims and the signature of a token, its look, and how a limit and a filter are written: refused before a row is read.
  "packages/server/test/threats/claims.test.ts",
  "packages/server/test/threats/token-pattern.test.ts",
  "packages/server/test/threats/paging.test.ts",
  "packages/server/test/threats/filter-bombs.test.ts",
  "packages/server/test/threats/forged-tokens.slow.test.ts",
  "packages/server/test/threats/foreign-tokens.test.ts",
  // Texts that are longer than the declaration allows.
  "packages/server/test/threats/endless-texts.test.ts",
  // What each setting does to answers, and the limits that are counted in memory.
  "packages/server/test/conformance/settings.slow.test.ts",
  "packages/server/test/conformance/rate-limit.test.ts",
  // Which moments a schedule names, and where a webhook may go.
  "packages/server/test/monitors/preview-schedule.test.ts",
  "packages/server/test/webhooks/slow-receiver.slow.test.ts",
  "packages/server/test/webhooks/targets.test.ts",
  "packages/server/test/webhooks/tls.slow.test.ts",
  // Which version an Accept header chooses.
  "packages/server/test/threats/versions.test.ts",
  // The time of a password's hash, which is a hundred times that of the query.
  "packages/server/test/access/sign-in-timing.slow.test.ts",
  // The lock file and the licences of packages.
  "packages/server/test/threats/supply-chain.test.ts",
];

/** What was seen on SQLite, and costs more on PostgreSQL than what it could find there: in the long run only. */
export const onPostgresInLongRun = [
  // Who may call what. That lists and items are those of the unit, both databases show in the isolation suite.
  "packages/server/test/access/permission-matrix.slow.test.ts",
  // How people sign in, and what they are refused: each reads and writes one row by its key.
  "packages/server/test/access/caller.test.ts",
  "packages/server/test/access/invitation-mail.test.ts",
  "packages/server/test/access/keys.test.ts",
  "packages/server/test/access/link-identity.test.ts",
  "packages/server/test/access/own-sessions.test.ts",
  "packages/server/test/access/sign-in-csrf.test.ts",
  "packages/server/test/access/sign-in-elsewhere.test.ts",
  "packages/server/test/access/sign-in-first-start.slow.test.ts",
  "packages/server/test/access/sign-in-flood.slow.test.ts",
  "packages/server/test/access/sign-in-kinds.test.ts",
  "packages/server/test/access/sign-in-limits.test.ts",
  "packages/server/test/access/sign-in-links.test.ts",
  "packages/server/test/access/sign-in-openid-browser.test.ts",
  "packages/server/test/access/sign-in-openid-claims.test.ts",
  "packages/server/test/access/sign-in-openid.slow.test.ts",
  "packages/server/test/access/sign-in-totp.test.ts",
  "packages/server/test/access/synchronise-groups.test.ts",
  "packages/server/test/access/taken-address.test.ts",
  // Rules that random changes do not get round. The rules are code; the changes themselves run on both.
  "packages/server/test/access/escalation.slow.test.ts",
  "packages/server/test/access/user-escalation.slow.test.ts",
  "packages/server/test/access/ended-tokens.test.ts",
  // What a report may say, and how long one is held.
  "packages/server/test/reports/fields.test.ts",
  "packages/server/test/reports/held-heartbeats.slow.test.ts",
  "packages/server/test/reports/held-in-a-process.slow.test.ts",
  "packages/server/test/streams/events.slow.test.ts",
  "packages/server/test/streams/limits.test.ts",
  "packages/server/test/threats/clock.test.ts",
  "packages/server/test/threats/discovery.test.ts",
  "packages/server/test/threats/signing-keys.test.ts",
  "packages/server/test/threats/token-spelling.test.ts",
  // What the command line does to a service that runs. That it is seen by the next request, both show in processes/.
  "packages/server/test/threats/revocation.slow.test.ts",
  // When a task that says nothing is worried about, what a report may claim, and what a ping is answered.
  "packages/server/test/reports/worries.test.ts",
  "packages/server/test/reports/lies.test.ts",
  "packages/server/test/monitors/ping-answers.slow.test.ts",
  // For whom and for how long a token may be made, and who may see which webhook.
  "packages/server/test/access/api-token-minting.slow.test.ts",
  "packages/server/test/webhooks/people.test.ts",
  // Requests at random, of which none may break anything; and the file in which the end of the audit trail is noted.
  "packages/server/test/threats/errors.test.ts",
  "packages/server/test/access/audit-anchor.test.ts",
  // Days of a clock: which run is missed. That what is missed is written is seen in the other files of monitors.
  "packages/server/test/monitors/no-false-miss.slow.test.ts",
  // When a run is expected, and when it is missed, by the clock; what becomes of it is written as pings are.
  "packages/server/test/monitors/expected-runs.slow.test.ts",
  // What follows on which status is decided in memory; what is written of it, the conformance suite of reports reads.
  "packages/server/test/reports/life-cycle.test.ts",
  // A trail that is long, and one of many pages.
  "packages/server/test/access/audit-at-length.slow.test.ts",
  // Several nodes behind a proxy: what fails is a connection, not a statement.
  "packages/server/test/proxies/rolling-restart.slow.test.ts",
  "packages/server/test/proxies/node-death.slow.test.ts",
  // When a lease ends by the clock, and what comes after it. On PostgreSQL the truth suite loses tasks, and only those that died.
  "packages/server/test/reports/leases.test.ts",
  "packages/server/test/reports/late-reports.test.ts",
  "packages/server/test/truth/clock-steps.slow.test.ts",
  // How a delivery is made and tried again. That each is made through kills and a flood, both databases show.
  "packages/server/test/webhooks/deliveries.slow.test.ts",
  "packages/server/test/webhooks/worker.test.ts",
  "packages/server/test/webhooks/events.test.ts",
  "packages/server/test/webhooks/webhooks.test.ts",
  // What a ping does to its monitor is decided in memory; what is written of it, the tests of monitors read.
  "packages/server/test/monitors/ping-effects.slow.test.ts",
  "packages/server/test/threats/ping-urls.slow.test.ts",
  // What is taken from a person or a token ends at the next request: both databases show it in processes/.
  "packages/server/test/threats/revocation.test.ts",
  "packages/server/test/streams/rights.test.ts",
  // Where a stream begins again. Random changes are watched on both.
  "packages/server/test/streams/ids.test.ts",
  // What a process remembers, and what may never be written: the columns are the same.
  "packages/server/test/threats/domain-memory.test.ts",
  "packages/server/test/threats/secret-exposure.slow.test.ts",
  // What each operation does to one row. Trees, lists and filters of the same resources stay.
  "packages/server/test/access/organizational-units.test.ts",
  "packages/server/test/access/api-tokens.test.ts",
  "packages/server/test/access/sign-in.test.ts",
  // Headers: tokens, units and versions are refused before a list is read; how a refusal is written.
  "packages/server/test/conformance/tokens.test.ts",
  "packages/server/test/conformance/units.test.ts",
  "packages/server/test/conformance/versions.test.ts",
  "packages/server/test/conformance/errors.test.ts",
];

/** What takes minutes, a million tasks, or programs that nothing else needs: Patroni and etcd. */
export const onlyInLongRun = [
  "docs/samples-types.slow.test.ts",
  "packages/console/test/a-million-tasks.slow.test.ts",
  "packages/server/test/faults/sqlite-restore.slow.test.ts",
  "packages/server/test/machines/machines.slow.test.ts",
  "packages/server/test/scale/growth.slow.test.ts",
  // The usual run has a simulated day of the same, and a real lease through a kill.
  "packages/server/test/truth/no-false-alarm.slow.test.ts",
];

/** Changes and reports are what a database changes most. The quick part has to be enough with these on PostgreSQL. */
const quickOnPostgres = ["changes", "reports"].map((name) => `packages/server/test/conformance/${name}.test.ts`);

/**
 * What measures time or requests in a second, and allows for little more than it takes: another job beside it would be
 * measured, too. What waits until something has happened allows for a slow machine, and needs no place of its own.
 */
export const measuresTime = [
  "packages/server/test/access/sign-in-timing.slow.test.ts",
  "packages/server/test/machines/machines.slow.test.ts",
  "packages/server/test/scale/fairness.slow.test.ts",
  "packages/server/test/scale/growth.slow.test.ts",
  "packages/server/test/threats/costly-headers.slow.test.ts",
];

/** What does so in the long run only. In the usual one it allows for others beside it. */
export const measuresTimeInLongRun = [
  "packages/server/test/scale/overload.slow.test.ts",
  "packages/server/test/scale/soak.slow.test.ts",
];

/** What sleeps, or waits for a time to pass, for three quarters of its time or more; the database that serves it does so, too. */
export const mostlyWaits = [
  "packages/server/test/processes/npm.slow.test.ts",
  "packages/server/test/processes/usual-patience.slow.test.ts",
  "packages/server/test/proxies/streams-behind-a-proxy.slow.test.ts",
  "packages/server/test/reports/held-heartbeats.slow.test.ts",
  "packages/server/test/reports/held-in-a-process.slow.test.ts",
  "packages/server/test/scale/soak.slow.test.ts",
  "packages/server/test/streams/events.slow.test.ts",
  "packages/server/test/streams/listening.slow.test.ts",
  "packages/server/test/streams/random-changes.slow.test.ts",
  "packages/server/test/threats/slow-clients.slow.test.ts",
  "packages/server/test/truth/real-lease.slow.test.ts",
];

/** What ends processes and databases in the middle of their writes, or fills a disk. */
export const needsDisk = [
  "packages/server/test/faults/",
  "packages/server/test/machines/",
  "packages/server/test/access/audit-disk-full.slow.test.ts",
];

/** A file that takes longer is a job of its own. The others share processes, so that starting these does not dominate. */
const longToShare = 18;
/** About how long a job of several files takes: short where all of it is, so that no core is idle while the last job ends. */
const sharedSeconds = { quick: 16, usual: 40, long: 40 };

/** For what hangs, not for what is slow. */
const timeouts = { quick: 120_000, usual: 120_000, long: 600_000 };
/** Most processes of a run end before compiled code is worth its making: it is compiled later, and never with the last effort. */
export const shortLived = {
  BUN_JSC_useFTLJIT: "false",
  BUN_JSC_thresholdForJITAfterWarmUp: "3000",
  BUN_JSC_thresholdForJITSoon: "1000",
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "5000",
  BUN_JSC_thresholdForOptimizeSoon: "3000",
};
const environments = {
  // Fewer tries of what is tried at random, so that the quick part stays under a minute.
  quick: { HOLDFAST_TEST_RUNS: "0.1", HOLDFAST_TEST_USUAL: "1", ...shortLived },
  usual: { HOLDFAST_TEST_USUAL: "1", ...shortLived },
  long: { HOLDFAST_TEST_LONG: "1" },
};

/** What is tried at random is tried less in the usual run: each run has other trials. */
function seldom(extent: Extent): Record<string, string> {
  return extent === "long" ? {} : { HOLDFAST_TEST_RUNS: "0.1" };
}

/**
 * Everything once on SQLite, and on PostgreSQL what has to behave alike on both.
 * Those that fault tests kill are not meant: each such file chooses its databases itself.
 */
function databasesOf(file: string, extent: Extent): TestedDatabase[] {
  const isOneOf = (places: readonly string[]) => isIn(places, file);
  // Some tests look into the file that SQLite keeps, and break it. And no browser sees which database is behind a page.
  const isOfSqlite = /sqlite[^/]*$|-in-a-browser[^/]*$/.test(file) || isOneOf(noDatabaseChangesIt);
  if (extent === "quick" && file.endsWith(".slow.test.ts")) return [];
  if (extent !== "long" && onlyInLongRun.includes(file)) return [];
  const places = extent === "quick" ? quickOnPostgres : alikeOnBoth;
  const onPostgres = isOneOf(places) && !isOfSqlite && (extent === "long" || !onPostgresInLongRun.includes(file));
  return onPostgres ? ["sqlite", "postgres"] : ["sqlite"];
}

function isIn(places: readonly string[], file: string): boolean {
  return places.some((place) => file.startsWith(place));
}

/** Shares all test files out to jobs. */
export function jobsOf(extent: Extent, files: readonly string[]): Job[] {
  const databases: readonly TestedDatabase[] = ["sqlite", "postgres"];
  const alone = extent === "long" ? [...measuresTime, ...measuresTimeInLongRun] : measuresTime;
  return databases.flatMap((database) => {
    const here = files.filter((file) => databasesOf(file, extent).includes(database));
    const isLong = (file: string) =>
      [...alone, ...mostlyWaits].includes(file) || secondsOf(database, file) > longToShare;
    const quick = Map.groupBy(
      here.filter((file) => !isLong(file)),
      (file) => isIn(needsDisk, file),
    );
    const groups = [
      ...here.filter(isLong).map((file) => [file]),
      ...[...quick.values()].flatMap((group) => share(database, group, sharedSeconds[extent])),
    ];
    return groups.map((group) => ({
      database,
      files: group,
      isAlone: group.some((file) => alone.includes(file)),
      mostlyWaits: group.some((file) => mostlyWaits.includes(file)),
      needsDisk: group.some((file) => isIn(needsDisk, file)),
      seconds: sum(database, group),
      // With a dot in front it is a file, and not a part of the names of some.
      args: [`--timeout=${timeouts[extent]}`, ...group.map((file) => `./${file}`)],
      // Only with CI does Bun refuse a forgotten test.only, which would leave out all others.
      environment: { CI: "true", HOLDFAST_TEST_ON: database, ...seldom(extent), ...environments[extent] },
    }));
  });
}

/** Makes groups of about the same length. */
function share(database: TestedDatabase, files: readonly string[], seconds: number): string[][] {
  const groups = Array.from({ length: Math.ceil(sum(database, files) / seconds) }, (): string[] => []);
  const longestFirst = files.toSorted((a, b) => secondsOf(database, b) - secondsOf(database, a));
  for (const file of longestFirst) {
    const shortest = groups.toSorted((a, b) => sum(database, a) - sum(database, b))[0];
    shortest?.push(file);
  }
  return groups.filter((group) => group.length > 0);
}

function sum(database: TestedDatabase, files: readonly string[]): number {
  return files.reduce((total, file) => total + secondsOf(database, file), 0);
}
