import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { openSqlite } from "@holdfast/server/database/sqlite/open";
import { startService } from "@holdfast/server/start/start-service";
import type { Command } from "commander";
import type { ChangeCase } from "../test/change-case";
import { absent, baseUrl, makeWorld, settingsIn, type World } from "../test/changed-world";
import { tokenCases } from "../test/token-cases";
import { unitCases } from "../test/unit-cases";
import { userCases } from "../test/user-cases";
import { buildProgram, runCommandLine } from "./command-line";
import { defaultTimeouts } from "./supervisor/timeouts";

/** Commands that call no operation of the API: they read, or do what the API has no operation for. */
const withoutOperation = [
  ...["serve", "health", "demo", "key reseal", "task import", "task prune", "audit verify", "audit export"],
  ...[
    "database backup",
    "database restore",
    "database move",
    "login",
    "logout",
    "whoami",
    "profiles list",
    "profiles use",
  ],
  // They change nothing here: a service does, which they ask.
  ...["run", "spool list", "spool deliver"],
];

/** Commands that only read, each by the operation of the API. */
const readings = /^\w+ (list|show|log|counts|wait|watch)$|^(status|api|discover|explain|completion|man)$/;

/** Commands that call their operation over the API on the data, like every command: a test of the verbs tries them. */
const byTheApi = [
  ...["unit update", "user update", "user delete", "token update", "token rotate", "token renew"],
  ...["role create", "role update", "role delete", "view create", "view update", "view delete"],
  ...["entity update", "task abort"],
  ...["create", "update", "enable", "disable", "rotate", "delete"].flatMap((verb) => [
    `monitor ${verb}`,
    `webhook ${verb}`,
  ]),
  "webhook test",
  "monitor suggest",
];

const changeCases = [...unitCases, ...userCases, ...tokenCases];
let world: World;
beforeAll(async () => {
  world = await makeWorld();
}, 120_000);
afterAll(() => world.remove());

/** Outcome of a change: why it was refused, or nothing, and what the audit trail says of it but for the actor. */
interface Outcome {
  refusal: string | null;
  events: unknown[];
}

/** The audit events that are new in a folder. What is new or says when it was done differs each time. */
async function eventsIn(folder: string, { differsIn = [] }: ChangeCase): Promise<unknown[]> {
  const database = await openSqlite(`${folder}/holdfast.db`);
  const rows = await database.snapshot((db) =>
    db.selectFrom("audit_events").select("document").where("result", "=", "done").orderBy("number").execute(),
  );
  await database.close();
  const known = new Set([rootUnitId, ...Object.values(world.ids)]);
  const names = new Map<string, string>();
  const nameOf = (id: string) => {
    if (!known.has(id) && !id.startsWith("00000000")) names.set(id, names.get(id) ?? `new ${names.size + 1}`);
    return names.get(id) ?? id;
  };
  const left = ["created_by", "inviter", ...differsIn];
  return rows.map(({ document }) => {
    const { operation, object, organizational_unit_id, before, after } = JSON.parse(document);
    const text = JSON.stringify({ operation, object, organizational_unit_id, before, after }, (key, value) =>
      left.includes(key) ? undefined : value,
    );
    return JSON.parse(
      text
        .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|hf-[\w-]{12}/g, nameOf)
        .replace(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"a moment"'),
    );
  });
}

/** The sentence of a refusal. A command names its flags. */
function sentence(text: string): string {
  return text
    .replace('The field "role_id"', "--role")
    .replace(": move_to.", ": --move-to.")
    .replace(/^holdfast: | See: holdfast \w+ list\n?$|\n$/g, "")
    .replace(/^The user holds/, "You hold")
    .replace(/^The user has/, "You have");
}

async function byCommand(one: ChangeCase): Promise<Outcome> {
  const folder = world.copy();
  const said: string[] = [];
  const keep = (text: unknown) => said.push(String(text)) > 0;
  const written = [spyOn(process.stderr, "write").mockImplementation(keep)];
  written.push(spyOn(process.stdout, "write").mockImplementation(() => true));
  const exitCode = await runCommandLine([...one.args(world.ids), "--data-dir", folder, "--base-url", baseUrl]).finally(
    () => {
      for (const spy of written) spy.mockRestore();
    },
  );
  return { refusal: exitCode === 0 ? null : sentence(said.join("")), events: await eventsIn(folder, one) };
}

async function serve() {
  const folder = world.copy();
  const silent = { debug() {}, info() {}, warn() {}, error() {}, flush() {} };
  const settings = settingsIn(folder, { port: "0", allowed_hosts: "127.0.0.1", rate_limit: "0" });
  return { folder, ...(await startService(settings, { log: silent, onBroken: () => {} })) };
}

/** Refused changes change nothing, so all of it can be asked of one service. */
let refusing: ReturnType<typeof serve> | undefined;
afterAll(async () => (await refusing)?.stop({ drainSeconds: 0 }));

async function byRequest(one: ChangeCase): Promise<Outcome> {
  if (one.isRefused) refusing ??= serve();
  const service = await (one.isRefused && refusing ? refusing : serve());
  const { method, path, body, as = "owner" } = one.request(world.ids);
  const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${world.tokens[as]}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!one.isRefused) await service.stop({ drainSeconds: 0 });
  const refusal = answer.ok ? null : sentence(JSON.parse(text).errors[0].error_message);
  return { refusal, events: await eventsIn(service.folder, one) };
}

test("every command that changes something is compared with its operation", async () => {
  const leaves = (command: Command, path: string): string[] =>
    command.commands.length === 0
      ? [path]
      : command.commands.flatMap((below) => leaves(below, `${path} ${below.name()}`.trim()));
  const compared = new Set(changeCases.map(({ command }) => command));
  const changing = leaves(await buildProgram(defaultTimeouts), "").filter((path) => !readings.test(path));
  const known = [...compared, ...byTheApi, ...withoutOperation].filter((path) => !readings.test(path));
  expect(changing.sort()).toEqual(known.sort());
});

test.each(changeCases.map((one): [string, ChangeCase] => [`${one.command}: ${one.what}`, one]))(
  "T26: a command is refused like its operation, or leaves the same audit events: %s",
  async (_, one) => {
    const [command, request] = [await byCommand(one), await byRequest(one)];
    expect(command).toEqual(request);
    expect([command.refusal !== null, command.events.length > 0]).toEqual([one.isRefused, !one.isRefused]);
  },
  120_000,
);

test("T9: the operator makes no personal token for who is disabled, and for a person who does not exist", async () => {
  const token = (id: string) => ({
    command: "token create",
    what: "",
    isRefused: true,
    args: () => ["token", "create", "--kind", "personal", "--name", "n", "--user", id],
    request: () => ({ method: "POST", path: "" }) as const,
  });
  expect([await byCommand(token(world.ids.disabled)), await byCommand(token(absent))]).toEqual([
    { refusal: "This user is disabled. Enable the user first.", events: [] },
    { refusal: "There is no such user, or you may not see it.", events: [] },
  ]);
});
