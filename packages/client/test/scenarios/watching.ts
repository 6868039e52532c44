import { type Client, connect, HoldfastError, type Task, type WatchEvent } from "../../src/index";
import type { Rule } from "./lane";
import { createToken, equal, given, holds, type Scenarios, sleep, thrownBy, until } from "./world";

/** Screen that shows a stream. */
function follow(
  client: Client,
  type: string,
  options: { signal: AbortSignal; onInterruption?: (error: HoldfastError) => void },
) {
  const known = new Map<string, Task>();
  const events: WatchEvent<Task>[] = [];
  const mistakes: string[] = [];
  const ended = thrownBy(async () => {
    for await (const event of client.tasks.watch({ filter: { type, status: "in_progress" }, ...options })) {
      events.push(event);
      if (event.event === "snapshot") {
        known.clear();
        for (const item of event.page.items) known.set(item.id, item);
      } else if (event.event === "gone") {
        if (!known.delete(event.id)) mistakes.push(`gone, but never there: ${event.id}`);
      } else if (event.event !== "reset") {
        if (known.has(event.item.id) !== (event.event === "task")) mistakes.push(`${event.event} of ${event.item.id}`);
        known.set(event.item.id, event.item);
      }
    }
  });
  return { known, events, mistakes, ended };
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof HoldfastError && error.status === status;
}

export const watchScenarios: Scenarios = {
  "a stream that is cut again and again loses and repeats nothing": async ({ openLane, holdfast, mark }) => {
    const { lane, client } = openLane();
    const type = mark();
    const stop = new AbortController();
    // After the first snapshot, and then at places that nothing chose: before an event, within one and between two.
    const sizes = [1_200, 1, 1_200, 1, 1_200, 1_200].map((min) => min + Math.floor(Math.random() * min * 2));
    const rules: Rule[] = sizes.map((bytes) => ({
      pattern: "^GET /task-events",
      times: 1,
      fault: { kind: "cut within", bytes },
    }));
    const odd: Rule = { pattern: "^GET /task-events", times: 1, fault: { kind: "answer", status: 503 } };
    await lane.rule(...rules.slice(0, 3), odd, ...rules.slice(3));
    const interruptions: number[] = [];
    const onInterruption = ({ status }: HoldfastError) => void interruptions.push(status);
    const seen = follow(client, type, { signal: stop.signal, onInterruption });
    await until(() => seen.events.length > 0, "there is a snapshot");
    const ids: string[] = [];
    for (let at = 0; at < 24; at++) {
      ids.push((await holdfast.tasks.create({ category: "system", type })).id);
      if (at % 3 === 0) await holdfast.tasks.update(given(ids[at]), { progress_percentage: at });
      if (at % 4 === 3) await holdfast.tasks.update(given(ids[at - 1]), { status: "completed" });
      await sleep(100);
    }
    const list = async () => {
      const tasks = await holdfast.tasks.list({ filter: { type, status: "in_progress" } }).first(100);
      return tasks.map((task) => `${task.id} ${task.progress_percentage}`).sort();
    };
    const wanted = await list();
    equal(wanted.length, 18);
    const shown = () => [...seen.known.values()].map((task) => `${task.id} ${task.progress_percentage}`).sort();
    await until(() => JSON.stringify(shown()) === JSON.stringify(wanted), "the stream shows what the list does");
    stop.abort(new Error("enough"));
    equal(String(await seen.ended), "Error: enough");
    equal(seen.mistakes, []);
    const connections = (await lane.requests("^GET /task-events")).length;
    holds(connections >= 5 && interruptions.includes(503), `it was cut more often than ${connections} times`);
    const snapshots = seen.events.filter(({ event }) => event === "snapshot");
    equal([snapshots.length, seen.events.some(({ event }) => event === "reset")], [1, false]);
  },

  "a stream ends soon after its token was revoked": async ({ holdfast, mark }) => {
    const { id, token } = await createToken(holdfast, "viewer", mark());
    const stream = connect({ token }).tasks.watch({ limit: 1 });
    await stream.next();
    await holdfast.apiTokens.revoke(id);
    const revokedAt = performance.now();
    const error = await thrownBy(async () => {
      for await (const _ of stream);
    });
    holds(isStatus(error, 401), `the token is refused, not ${error}`);
    const took = performance.now() - revokedAt;
    holds(took < 20_000, `about a second, not ${took} ms`);
  },

  "a place that the service does not know begins again": async ({ openLane, mark }) => {
    const { lane, client } = openLane();
    const type = mark();
    const stop = new AbortController();
    const refused = { kind: "answer", status: 400, body: '{"errors":[{"error_code":40004,"error_message":"No."}]}' };
    await lane.rule(
      // The whole snapshot of no tasks, and nothing more.
      { pattern: "^GET /task-events", times: 1, fault: { kind: "cut within", bytes: 900 } },
      { pattern: "^GET /task-events", times: 1, fault: { ...refused, kind: "answer" } },
    );
    const seen = follow(client, type, { signal: stop.signal });
    await until(() => seen.events.length > 0, "there is a snapshot");
    for (let at = 0; at < 3; at++) await client.tasks.create({ category: "system", type });
    await until(() => seen.known.size === 3, "the tasks are there");
    stop.abort(new Error("enough"));
    await seen.ended;
    const words = seen.events.map(({ event }) => event).filter((event) => event === "reset" || event === "snapshot");
    equal(words, ["snapshot", "reset", "snapshot"]);
    equal(seen.mistakes, []);
  },

  "leaving the loop closes the connection": async ({ holdfast, mark }) => {
    const waiting: ReturnType<Client["tasks"]["watch"]>[] = [];
    const { token } = await createToken(holdfast, "viewer", mark());
    const client = connect({ token });
    // A token may have ten at a time, so those before have to be closed.
    for (let at = 0; at < 12; at++) {
      for await (const { event } of client.tasks.watch({ limit: 1 })) {
        equal(event, "snapshot");
        break;
      }
    }
    for (let at = 0; at < 12; at++) {
      const stop = new AbortController();
      const stream = client.tasks.watch({ limit: 1, signal: stop.signal });
      await stream.next();
      // Nothing waits for an event now: the connection is closed all the same.
      stop.abort(new Error("enough"));
      waiting.push(stream);
    }
    for (const stream of waiting) equal(String(await thrownBy(() => stream.next())), "Error: enough");
  },

  "a stream can begin without a snapshot, and says soon that it cannot begin": async ({ holdfast, place, mark }) => {
    const type = mark();
    const stop = new AbortController();
    let isHeard = false;
    const first = holdfast.tasks
      .watch({ filter: { type }, snapshot: false, signal: stop.signal })
      .next()
      .finally(() => {
        isHeard = true;
      });
    const ids: string[] = [];
    // Tasks that exist before the stream is open are not reported, so there is more until something is.
    for (; !isHeard; await sleep(1_500)) ids.push((await holdfast.tasks.create({ category: "system", type })).id);
    const { value } = await first;
    equal([value?.event, value?.event === "match" && ids.includes(value.item.id)], ["match", true]);
    stop.abort();
    const { token } = await createToken(holdfast, "viewer", type);
    const away = connect({ token, baseUrl: place.closedUrl });
    const error = await thrownBy(() => away.tasks.watch({ retries: 1 }).next());
    holds(isStatus(error, 0), `nothing answers, not ${error}`);
  },
};
