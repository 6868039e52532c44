import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import { connect, HoldfastError } from "@holdfast/client";
import { pingUrlPurpose } from "@holdfast/server/resources/monitors/ping-url";
import { readDocument } from "@holdfast/server/resources/tasks/record";
import { Refusal } from "@holdfast/server/settings/refusal";
import type { Command } from "commander";
import { findNpm, onEndSignals } from "../end-signals";
import { makeChange, shownOnce } from "../local/make-change";
import { openOrMakeForCommand } from "../local/open-for-command";
import { runLivePings } from "./live-pings";
import { type LiveWork, runLiveTasks } from "./live-tasks";
import { liveSlug } from "./plots";
import { createRandom } from "./random";

const tokenLife = 86_400_000;
const samples = 300;

/** True if there is work to take after already. */
export async function hasDemoData(command: Command): Promise<boolean> {
  return (await readWork(command)).length > 0;
}

/** Keeps a few made-up tasks running through the API, with a token of their own, and pings a monitor, until Ctrl-C. */
export async function runLive(command: Command, seed: number): Promise<void> {
  const work = await readWork(command);
  if (work.length === 0) throw new Refusal("There are no tasks to take after. Ask for more of them with --tasks.");
  const stop = new AbortController();
  onEndSignals({ first: () => stop.abort(), again: () => process.exit(1), npm: findNpm(process.env) });
  const { id, token } = await createToken(command);
  try {
    const client = connect({ token });
    await requireService(client);
    process.stderr.write(`Made-up tasks run at ${client.baseUrl} until Ctrl-C.\n`);
    const options = {
      random: createRandom(seed, `live ${Date.now()}`),
      secondMs: 1_000,
      signal: stop.signal,
      onLine: (line: string) => process.stderr.write(`${line}\n`),
    };
    const pinged = await findPinged(command);
    await Promise.all([
      runLiveTasks(client, { ...options, work, atOnce: 4 }),
      ...pinged.map(({ name, path }) => runLivePings({ ...options, name, pingUrl: `${client.baseUrl}${path}` })),
    ]);
  } finally {
    await makeChange(command, "revoke-api-token", () => ({ variables: { api_token_id: id } }));
  }
}

/** The work of the newest tasks, on what is safe: what needs attention stays as it is, to be looked at. */
async function readWork(command: Command): Promise<LiveWork[]> {
  let work: LiveWork[] = [];
  await openOrMakeForCommand(command, async ({ database }) => {
    work = await database.snapshot(async (db) => {
      const tasks = await db
        .selectFrom("tasks")
        .select("document")
        .orderBy("created_at", "desc")
        .limit(samples)
        .execute();
      const records = tasks.map(({ document }) => readDocument(document));
      const ids = [...new Set(records.flatMap(({ primary_entity }) => primary_entity?.id ?? []))];
      if (ids.length === 0) return [];
      const safe = await db
        .selectFrom("protected_entities")
        .select("entity_id")
        .where("entity_id", "in", ids)
        .where("state", "in", ["unwatched", "good"])
        .where("is_retired", "=", 0)
        .execute();
      const safeIds = new Set(safe.map(({ entity_id }) => entity_id));
      return records.filter(({ primary_entity }) => primary_entity !== null && safeIds.has(primary_entity.id));
    });
  });
  return work;
}

/** The monitor that is pinged, where it is there still. */
async function findPinged(command: Command): Promise<{ name: string; path: string }[]> {
  let found: { name: string; path: string }[] = [];
  await openOrMakeForCommand(command, async ({ database, sealer }) => {
    const rows = await database.snapshot((db) =>
      db.selectFrom("monitors").select(["id", "name", "sealed_url"]).where("slug", "=", liveSlug).limit(1).execute(),
    );
    found = rows.flatMap(({ id, name, sealed_url }) => {
      const uuid = sealer.open(sealed_url, pingUrlPurpose(id));
      return uuid === undefined ? [] : [{ name, path: `/ping/${uuid}` }];
    });
  });
  return found;
}

async function createToken(command: Command): Promise<{ id: string; token: string }> {
  let created: { id: string; token: string } | undefined;
  await makeChange(
    command,
    "create-api-token",
    (_, { now }) => ({
      body: {
        name: "demo-live",
        kind: "service",
        organizational_unit_id: rootUnitId,
        role_id: defaultRoles.reporter.id,
        expires_timestamp: formatTimestamp(now + tokenLife),
      },
    }),
    (changed) => (created = { id: changed.object.id, token: shownOnce(changed, "token") }),
  );
  if (!created) throw new Error("No token was made.");
  return created;
}

async function requireService(client: ReturnType<typeof connect>): Promise<void> {
  try {
    await client.caller.read({ retries: 0 });
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.status !== 0) throw error;
    throw new Refusal(`No service answers at ${client.baseUrl}. Start it in another terminal: holdfast serve`);
  }
}
