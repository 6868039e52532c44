import type { Ask, Plane } from "../harness";

/** An event as it was heard. */
export interface Heard {
  event: string;
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape.
  data: any;
  /** When, in milliseconds. */
  at: number;
}

/** A stream that is being read. */
export interface Watch {
  response: Response;
  /** Everything that was heard so far. */
  heard: readonly Heard[];
  /** Every byte so far, comments included. */
  text(): string;
  /** Waits until what was heard is enough, and fails after some seconds. */
  until(isEnough: (heard: readonly Heard[]) => boolean): Promise<readonly Heard[]>;
  /** Waits until the stream has ended. */
  ended: Promise<void>;
  close(): Promise<void>;
}

const timeoutMs = 60_000;

/** Begins to watch. */
export async function watch(plane: Pick<Plane, "request">, query = "", ask: Ask = {}): Promise<Watch> {
  return listen(await plane.request(`/task-events${query}`, ask));
}

/** Reads a response as a stream of events, from now on. */
export function listen(response: Response): Watch {
  const heard: Heard[] = [];
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = "";
  let parsed = 0;

  async function read(): Promise<void> {
    for (let end = text.indexOf("\n\n", parsed); end >= 0; end = text.indexOf("\n\n", parsed)) {
      const event = parse(text.slice(parsed, end));
      heard.push(...(event ? [event] : []));
      parsed = end + 2;
    }
    const chunk = await reader?.read().catch(() => undefined);
    text += decoder.decode(chunk?.value, { stream: true });
    return chunk?.done === false ? read() : undefined;
  }

  const ended = read();
  return {
    response,
    heard,
    text: () => text,
    ended,
    async until(isEnough) {
      const deadline = performance.now() + timeoutMs;
      while (!isEnough(heard) && performance.now() < deadline) await Bun.sleep(10);
      const seen = heard.map(({ event, data }) => `${event} ${JSON.stringify(data).slice(0, 200)}`);
      if (!isEnough(heard)) throw new Error(`This is all that was heard:\n${seen.join("\n")}\n${text.slice(-500)}`);
      return heard;
    },
    async close() {
      await reader?.cancel();
      await ended;
    },
  };
}

function parse(block: string): Heard | undefined {
  const fields = new Map(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.replace(/^\w*: ?/, "")]),
  );
  const [event, id, data] = [fields.get("event"), fields.get("id"), fields.get("data")];
  if (event === undefined || id === undefined || data === undefined) return undefined;
  return { event, id, data: JSON.parse(data), at: performance.now() };
}

/** The names of what was heard. */
export const eventsOf = (heard: readonly Heard[]): string[] => heard.map(({ event }) => event);

/** Knowledge of somebody who has heard all of it: tasks by id. */
export function known(heard: readonly Heard[]): Map<string, unknown> {
  const tasks = new Map<string, unknown>();
  for (const { event, data } of heard) {
    if (event === "snapshot" || event === "reset") tasks.clear();
    for (const item of data._embedded?.items ?? []) tasks.set(item.id, item);
    if (event === "match" || event === "task") tasks.set(data.id, data);
    if (event === "gone") tasks.delete(data.id);
  }
  return tasks;
}
