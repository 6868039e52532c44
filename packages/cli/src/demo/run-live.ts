import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import { connect, HoldfastError } from "@holdfast/client";
import { readDocument } from "@holdfast/server/resources/tasks/record";
import { Refusal } from "@holdfast/server/settings/refusal";
import type { Command } from "commander";
import { findNpm, onEndSignals } from "../end-signals";
import { makeChange, shownOnce } from "../make-change";
import { openOrMakeForCommand } from "../open-for-command";
import { type LiveWork, runLiveTasks } from "./live-tasks";
import { createRandom } from "./random";

const tokenLife = 86_400_000;
const samples = 300;

/** Whether there are tasks already. */
export async function hasDemoData(command: Command): Promise<boolean> {
  return (await readWork(command)).length > 0;
}

/** Keeps a few made-up tasks running through the API, with a token of their own, until Ctrl-C. */
export async function runLive(command: Command, seed: number): Promise<void> {
  const work = await readWork(command);
  if (work.length === 0) throw new Refusal("There are no tasks to take after. Leave --tasks 0 out.");
  const stop = new AbortController();
  onEndSignals({ first: () => stop.abort(), again: () => process.exit(1), npm: findNpm(process.env) });
  const { id, token } = await createToken(command);
  try {
    const client = connect({ token });
    await requireService(client);
    process.stderr.write(`Made-up tasks run at ${client.baseUrl} until Ctrl-C.\n`);
    await runLiveTasks(client, {
      work,
      random: createRandom(seed, `live ${Date.now()}`),
      atOnce: 4,
      secondMs: 1_000,
      signal: stop.signal,
      onLine: (line) => process.stderr.write(`${line}\n`),
    });
  } finally {
    await makeChange(command, "revoke-api-token", () => ({ variables: { api_token_id: id } }));
  }
}

/** The work of the newest tasks. */
async function readWork(command: Command): Promise<LiveWork[]> {
  let work: LiveWork[] = [];
  await openOrMakeForCommand(command, async ({ database }) => {
    const rows = await database.snapshot((db) =>
      db.selectFrom("tasks").select("document").orderBy("created_at", "desc").limit(samples).execute(),
    );
    work = rows.map(({ document }) => readDocument(document)).filter(({ primary_entity }) => primary_entity !== null);
  });
  return work;
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
