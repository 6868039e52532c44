import { afterAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { Client } from "pg";
import { openMetrics, scrape } from "../metrics/scrape";
import { openReportingPlane } from "../reports/reporting-plane";
import { eventsOf, watch } from "../streams/watch";
import { createTestDatabase } from "../test-database";

// Somebody writes to the same server, and leaves the transaction open.
const made = await createTestDatabase();
const plane = await openReportingPlane({ ...openMetrics, database_url: made.url });
const { token } = await plane.serviceToken("viewer");
const somebody = new Client({ connectionString: made.url });
await somebody.connect();
afterAll(async () => {
  await somebody.end();
  await plane.close();
  await made.drop();
});

const logged = (text: string) => plane.logged.filter((line) => line.includes(text));
const metric = async () => (await scrape(plane)).get("holdfast_streams_held_back");

/** Waits until a message was logged, for longer than a stream may be held back unnoticed. */
async function untilLogged(text: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (logged(text).length === 0 && performance.now() < deadline) await Bun.sleep(50);
}

test("a transaction that is left open holds back streams, which say so once, and go on within 5 s of its end", async () => {
  const stream = await watch(plane, "", { token });
  await stream.until((heard) => heard.length === 1);
  await somebody.query("begin");
  const { rows } = await somebody.query("select pg_current_xact_id()::text::bigint % 4294967296 as xid");
  const { body: early } = await plane.create({});
  await untilLogged("holds back");
  const { body: later } = await plane.create({});
  await Bun.sleep(2_500);
  const heard = eventsOf(stream.heard);
  const listed = (await plane.ask("/tasks", { token })).body.total_count;
  const held = [heard, listed, await metric()];
  const endedAt = performance.now();
  await somebody.query("commit");
  await stream.until((events) => events.length === 3);
  const seconds = (performance.now() - endedAt) / 1_000;
  await untilLogged("go on");
  await stream.close();
  expect(held).toEqual([["snapshot"], 2, 1]);
  expect(stream.heard.map(({ data }) => data.id).slice(1)).toEqual([early.id, later.id]);
  expect(seconds).toBeLessThan(5);
  expect(
    logged("holds back").map((line) => [line.includes("warn"), line.includes(`backend_xid = ${rows[0]?.xid}`)]),
  ).toEqual([[true, true]]);
  expect(logged("go on")).toHaveLength(1);
  expect(await metric()).toBe(0);
}, 120_000);

test("a transaction that is left open in another database of the server holds back nothing", async () => {
  const elsewhere = await createTestDatabase();
  const stranger = new Client({ connectionString: elsewhere.url });
  await stranger.connect();
  await stranger.query("begin");
  await stranger.query("select pg_current_xact_id()");
  const stream = await watch(plane, "", { token });
  await stream.until((heard) => heard.length === 1);
  const { body: reported } = await plane.create({});
  await stream.until((heard) => heard.length === 2);
  await stream.close();
  await stranger.end();
  await elsewhere.drop();
  expect(stream.heard[1]?.data.id).toBe(reported.id);
}, 60_000);

test("a transaction of a process of ours that has stopped is ended after a minute", async () => {
  const timeout = await plane.database.change(async (db) => {
    const { rows } = await sql<{ timeout: string }>`
      select current_setting('idle_in_transaction_session_timeout') as timeout`.execute(db);
    return rows[0]?.timeout;
  });
  expect(timeout).toBe("1min");
});
