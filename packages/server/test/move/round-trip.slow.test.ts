import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "kysely";
import { verifyChain } from "../../src/audit/verify-chain";
import { tables } from "../../src/resources/index";
import { auditEvents } from "../access/people";
import { lists } from "../conformance/declared";
import { type Plane, sampleTask } from "../harness";
import { createTestDatabase, type TestDatabase } from "../test-database";
import { type Company, makeCompany, runMove } from "./company";
import { readFile, readMoved } from "./read-file";

let company: Company;
let postgres: TestDatabase;
beforeAll(async () => {
  [company, postgres] = await Promise.all([makeCompany({ tasks: 5_000 }), createTestDatabase()]);
}, 120_000);
afterAll(async () => {
  await postgres.drop();
  company.remove();
});

const paths = [
  // The move is an audit event itself.
  ...new Set(lists.flatMap(({ operation: { path } }) => (path === "/audit-events" ? [] : [path]))),
  "/tasks?limit=1000",
  "/tasks?limit=7&start=300",
  `/tasks?filter=${encodeURIComponent('{"category":"restore"}')}`,
  `/tasks/${sampleTask(900_001).id}`,
  "/users?limit=5",
  "/users/ffffffff-ffff-4fff-8fff-ffffffffffff",
];

/** Answers of a service to everything above, and to the pages that come next. */
async function answersOf(plane: Plane, token: string) {
  const answers = [];
  for (const path of paths) {
    const first = await plane.ask(path, { token });
    const next = first.body._links?.next?.href ?? path;
    for (const answer of [first, await plane.ask(next, { token })]) {
      answers.push({ path, status: answer.status, etag: answer.headers.get("etag"), text: answer.text });
    }
  }
  return answers;
}

/** Removes cursors, which on PostgreSQL name transactions, and ETags, which depend on them. */
function withoutCursors(answers: Awaited<ReturnType<typeof answersOf>>) {
  return answers.map(({ etag: _, text, ...answer }) => ({ ...answer, text: text.replaceAll(/&cursor=[\w-]+/g, "") }));
}

const withoutAudit = (output: string) => output.split("\n").filter((line) => !line.startsWith("audit_"));

test("an installation that was moved to PostgreSQL answers alike, and back with the same bytes, and is the same to the last row", async () => {
  const before = await company.open();
  const { token } = await before.serviceToken("owner");
  const answers = await answersOf(before, token);
  const { rows: reached } = await before.database.snapshot((db) =>
    sql<{ seq: number }>`select seq from sqlite_sequence where name = 'tasks'`.execute(db),
  );
  const cursor = (await before.ask("/tasks?limit=100", { token })).body._links.next.href;
  const secondPage = await before.ask(cursor, { token });
  await before.database.close();
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const contents = readFile(company.url);

  const there = await runMove(company.url, postgres.url);
  const names = Object.entries(tables).flatMap(([name, { move }]) => (move === "stays" ? [] : [name]));
  // An empty table could be lost unseen: nobody signs in here, nor repeats a request.
  expect(names.filter((name) => contents[name]?.length === 0)).toEqual([
    ...["unwatched_times", "one_time_links", "sessions", "sign_in_failures", "sign_in_addresses", "identities"],
    "idempotency_keys",
  ]);
  const lines = there.output.trimEnd().split("\n").slice(1);
  expect(lines.map((line) => line.replace(/ +[0-9a-f]{64}$/, "").split(/ +/))).toEqual(
    names.map((name) => [name, String(contents[name]?.length)]),
  );
  const total = names.reduce((sum, name) => sum + (contents[name]?.length ?? 0), 0);
  const news = `Moved ${total} rows. Both databases hold the same data, and the audit trail of the new one records the move. Next, set\nHOLDFAST_DATABASE_URL to the new address, keep the same secret, and start the service. Keep the old database until\nthe new one works.\n`;
  expect({ ...there, output: "" }).toEqual({ exitCode: 0, output: "", errors: news });
  expect(readFile(company.url)).toEqual(contents);

  const back = `sqlite:${join(company.folder, "back.db")}`;
  const returned = await runMove(postgres.url, back);
  expect(withoutAudit(returned.output)).toEqual(withoutAudit(there.output));
  expect(returned).toMatchObject({ exitCode: 0, errors: news.replace(String(total), String(total + 1)) });
  expect(readMoved(back)).toEqual(readMoved(company.url));

  for (const url of [postgres.url, back]) {
    const after = await company.open(url);
    const answersAfter = await answersOf(after, token);
    expect(withoutCursors(answersAfter)).toEqual(withoutCursors(answers));
    if (url === back) expect(answersAfter).toEqual(answers);
    expect((await after.ask(cursor, { token })).text).toBe(secondPage.text);
    await after.addTasks([sampleTask(900_004)]);
    const { rows } = await after.database.snapshot((db) =>
      sql`select seq from tasks where id = ${sampleTask(900_004).id}`.execute(db),
    );
    // The number of the task that was removed is not given to another one.
    expect(rows).toEqual([{ seq: (reached[0]?.seq ?? 0) + 1 }]);
    await after.database.close();
  }
}, 120_000);

test("T26: the audit trail tells of each move, without a password, and is whole", async () => {
  const plane = await company.open(`sqlite:${join(company.folder, "back.db")}`);
  const moves = (await auditEvents(plane)).filter(({ operation }) => operation === "move-database");
  const place = new URL(postgres.url);
  place.username = "";
  place.password = "";
  const [file, server] = [{ database_url: company.url }, { database_url: place.href }];
  const actor = { kind: "command_line", user_id: null, token_id: null, address: null };
  const backFile = { database_url: `sqlite:${join(company.folder, "back.db")}` };
  expect(moves).toMatchObject([
    { actor, result: "done", before: file, after: server },
    { actor, result: "done", before: server, after: backFile },
  ]);
  await plane.database.snapshot((db) => verifyChain(db, plane.service.sealer));
  await plane.database.close();
}, 120_000);

test("a source that others still use is told of, because what they write may stay behind", async () => {
  const service = await company.open(postgres.url);
  const moved = await runMove(postgres.url, `sqlite:${join(company.folder, "meanwhile.db")}`);
  await service.database.close();
  expect(moved).toMatchObject({
    exitCode: 0,
    errors: expect.stringMatching(
      /^Others use the database that is moved from \(sessions: \d+\)\. .*, stop it and move .*\.\nMoved \d+ rows\./,
    ),
  });
}, 120_000);
