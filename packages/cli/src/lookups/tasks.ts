import { parseUuid } from "@holdfast/api/conventions/uuid";
import { type Client, HoldfastError } from "@holdfast/client";
import { Refusal } from "@holdfast/server/settings/refusal";
import { quoted } from "./find-one";

/** So many of the newest tasks are looked at for the beginning of an id. */
const newest = 1000;
/** Maximum distance between the time in an id and that of its task, in milliseconds. */
const margin = 60_000;
const beginning = /^[0-9a-f]{6}[0-9a-f-]*$/;

/** The id of a task that is named by its id, or by a beginning of it that only one has. */
export async function findTaskId(client: Client, given: string): Promise<string> {
  const text = given.toLowerCase();
  if (parseUuid(given) !== undefined || !beginning.test(text) || (await isTask(client, given))) return given;
  const found = await idsThatBegin(client, text);
  const [only, ...others] = found;
  if (only === undefined) {
    throw new Refusal(
      `There is no task ${quoted(given)}, and none of the newest ${newest.toLocaleString("en")} begins so. Write the whole id. See: holdfast task list -o id`,
    );
  }
  if (others.length === 0) return only;
  throw new Refusal(
    `The ids of ${found.length} tasks begin with ${quoted(given)}. Write more of one: ${found.slice(0, 5).join(", ")}.`,
  );
}

async function idsThatBegin(client: Client, text: string): Promise<string[]> {
  for (const filter of [...timesOf(text), {}]) {
    const tasks = await client.tasks.list({ filter }).first(newest);
    const ids = tasks.map(({ id }) => id).filter((id) => id.startsWith(text));
    if (ids.length > 0) return ids;
  }
  return [];
}

/** Most ids begin with the time of their task, so that older ones can be found, too. */
function timesOf(text: string) {
  const digits = text.replaceAll("-", "").slice(0, 12);
  const [from, until] = [Number.parseInt(digits.padEnd(12, "0"), 16), Number.parseInt(digits.padEnd(12, "f"), 16)];
  if (from - margin < 0 || until > Date.now() + margin + 86_400_000) return [];
  const range = { $gte: new Date(from - margin).toISOString(), $lte: new Date(until + margin).toISOString() };
  return [{ created_timestamp: range }];
}

/** True if a task has exactly this id: imported tasks may have short ones. */
async function isTask(client: Client, id: string): Promise<boolean> {
  try {
    await client.tasks.read(id);
    return true;
  } catch (error) {
    if (error instanceof HoldfastError && [400, 404].includes(error.status)) return false;
    throw error;
  }
}
