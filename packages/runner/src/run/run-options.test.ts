import { expect, test } from "bun:test";
import { hostname } from "node:os";
import { parseRunOptions, RunUsageError, runHelp } from "./run-options";

const parse = (flags: string[], environment: Record<string, string> = {}) =>
  parseRunOptions([...flags, "--", "restic", "backup"], environment);

test("everything has a usual value", () => {
  expect(parse([], { HOLDFAST_TOKEN: " token\n", HOLDFAST_SPOOL: "/spool" })).toEqual({
    command: ["restic", "backup"],
    token: "token",
    tokenFault: undefined,
    url: undefined,
    tokenFile: undefined,
    shouldRenew: false,
    unit: undefined,
    monitor: undefined,
    operation: undefined,
    host: hostname(),
    name: undefined,
    category: undefined,
    type: undefined,
    entity: undefined,
    engine: undefined,
    progress: "auto",
    log: "auto",
    timeoutMs: undefined,
    stallMs: undefined,
    leaseSeconds: 180,
    abortGraceSeconds: 30,
    lingerMs: 10_000,
    absentMs: 300,
    spoolPath: "/spool",
    isQuiet: false,
    notes: [],
  });
});

test("what is behind -- is the command's, flags and further -- included", () => {
  expect(parseRunOptions(["--quiet", "--", "sh", "--", "--quiet", "-h"], {})?.command).toEqual([
    "sh",
    "--",
    "--quiet",
    "-h",
  ]);
});

test("flags win over variables", () => {
  const variables = {
    HOLDFAST_URL: "http://a",
    HOLDFAST_OU: "a",
    HOLDFAST_MONITOR: "a",
    HOLDFAST_SPOOL: "/a",
    HOLDFAST_HOST: "a",
  };
  const flags = ["--url", "http://b", "--ou", "b", "--monitor", "b", "--spool-dir", "/b", "--host", "b"];
  const [a, b] = [parse([], variables), parse(flags, variables)];
  expect(a).toMatchObject({ url: "http://a", unit: "a", monitor: "a", spoolPath: "/a", host: "a" });
  expect(b).toMatchObject({ url: "http://b", unit: "b", monitor: "b", spoolPath: "/b", host: "b" });
});

test.each([
  ["90", 90_000],
  ["1.5s", 1_500],
  ["15m", 900_000],
  ["2h", 7_200_000],
  ["60d", 5_184_000_000],
  ["0", undefined],
])("a duration: %s", (text, milliseconds) => {
  expect(parse(["--timeout", text])?.timeoutMs).toBe(milliseconds);
});

test.each([
  ["web-01", { type: "host", value: "web-01" }],
  ["database:shop", { type: "database", value: "shop" }],
  ["folder:/srv:data", { type: "folder", value: "/srv:data" }],
  ["/srv:data", { type: "host", value: "/srv:data" }],
])("an entity: %s", (text, entity) => {
  expect(parse(["--entity", text])?.entity).toEqual(entity);
});

test.each([
  [["--timeout", "-1s"]],
  [["--timeout", "1 s"]],
  [["--lease", "29s"]],
  [["--abort-grace", "4s"]],
  [["--progress", "yes"]],
  [["--category", "cake"]],
  [["--entity", ""]],
  [["--host", ""]],
  [["--host", "a/b"]],
  [["--host", "a\nb"]],
  [["--host", "x".repeat(256)]],
  [["word"]],
])("wrong use: %p", (flags) => {
  expect(() => parse(flags)).toThrow(RunUsageError);
});

test.each([[["--token", "hunter2"]], [["--token=hunter2"]]])(
  "a token in a flag is refused unseen, with what to do: %p",
  (flags) => {
    expect(() => parse(flags)).toThrow(/^There is no --token: .* Set HOLDFAST_TOKEN, or .* with --token-file\.$/);
  },
);

test("help is asked for without a command", () => {
  expect(parseRunOptions(["--help"], {})).toBeUndefined();
});

test("the help names every flag that is taken, and no other", () => {
  const named = [...runHelp.matchAll(/^ {2}(--[a-z-]+)(?: <\S+>)? /gm)].map(([, flag = ""]) => flag);
  expect(named.length).toBeGreaterThan(15);
  const values: Readonly<Record<string, string>> = {
    "--category": "backup",
    "--engine": "none",
    "--progress": "on",
    "--log": "all",
  };
  const switches = ["--quiet", "--renew"];
  const args = named.filter((flag) => !switches.includes(flag)).flatMap((flag) => [flag, values[flag] ?? "60s"]);
  expect(parse([...args, ...switches])).toMatchObject({ operation: "60s", host: "60s", isQuiet: true });
});
