import type { EventSourceMessage } from "eventsource-parser";
import { type CallInput, type Calls, findOperation, isPathGone, type NamedOperation, requestOf } from "./calls";
import { type Fault, HoldfastError } from "./error";
import { readEvents } from "./event-stream";
import { type Page, pageIn } from "./listing";
import { type CallOptions, isAway, pauseAfter } from "./transport";
import { wait } from "./wait";

/**
 * Event of a stream. Each event is about what the filter shows.
 * @example
 * import { type Task, type WatchEvent } from "@holdfast/client";
 *
 * const describe = (event: WatchEvent<Task>) => (event.event === "match" ? event.item.type : event.event);
 * for await (const event of holdfast.tasks.watch()) {
 *   console.log(describe(event));
 *   break;
 * }
 */
export type WatchEvent<Item> =
  /** The first page of the list, as it is now: forget what was known before. */
  | { event: "snapshot"; page: Page<Item> }
  /** An item that is new here: it was created, or came to match the filter. */
  | { event: "match"; item: Item }
  /** An item that was here before has changed. */
  | { event: "task"; item: Item }
  /** An item that was here before is not any more. */
  | { event: "gone"; id: string }
  /** Changes were missed, because the stream was away for too long. A snapshot follows. */
  | { event: "reset" };

/**
 * Options of a stream.
 * @example
 * import { type FilterOf, type WatchOptions } from "@holdfast/client";
 *
 * const options: WatchOptions<FilterOf<"tasks", "list-tasks">> = { filter: { category: "backup" }, limit: 10 };
 * for await (const event of holdfast.tasks.watch(options)) {
 *   console.log(event.event);
 *   break;
 * }
 */
export interface WatchOptions<Filter> extends CallOptions {
  /** Conditions that every item fulfils. */
  filter?: Filter | undefined;
  /** Number of items in the snapshot: 100 by default, at most 1000. */
  limit?: number | undefined;
  /** False leaves out the snapshot that the stream begins with. */
  snapshot?: boolean | undefined;
  /** Called each time the connection is open: at first, and after it was lost. */
  onOpen?: (() => void) | undefined;
  /** Called when the connection is lost, with how long it takes until the next try, in milliseconds. */
  onInterruption?: ((error: HoldfastError, retryInMs: number) => void) | undefined;
}

/** The service sends a comment every 15 s. */
const silenceTimeoutMs = 45_000;

/**
 * Watches items, until the loop is left or the signal is aborted. A lost connection is opened again, and the events
 * between are sent then: none is lost, none comes twice.
 */
export async function* watchItems(
  calls: Calls,
  operation: NamedOperation,
  options: WatchOptions<unknown> & CallInput,
): AsyncGenerator<WatchEvent<unknown>, void, undefined> {
  const { filter, limit, onOpen, onInterruption, ...asked } = options;
  const { signal } = asked;
  let wantsSnapshot = options.snapshot ?? true;
  let lastId: string | undefined;
  let retryMs = 3_000;
  let failures = 0;
  let wasOpen = false;
  let hasForgotten = false;

  async function open(): Promise<ReadableStream<Uint8Array>> {
    const found = await findOperation(calls, operation, asked);
    const query = {
      limit: limit?.toString(),
      filter: filter ? JSON.stringify(filter) : undefined,
      snapshot: wantsSnapshot ? undefined : "false",
    };
    const headers = lastId === undefined ? {} : { "Last-Event-ID": lastId };
    const response = await calls.transport.open(requestOf(found, { ...asked, query, headers }, { isRepeatable: true }));
    if (!response.body) throw interrupted("The answer has no body.");
    return response.body;
  }

  for (;;) {
    try {
      const body = await open();
      wasOpen = true;
      hasForgotten = false;
      onOpen?.();
      const onRetry = (milliseconds: number) => (retryMs = milliseconds);
      for await (const event of readEvents(body, { silenceMs: silenceTimeoutMs, onRetry, signal })) {
        failures = 0;
        signal?.throwIfAborted();
        const read = readEvent(event);
        lastId = event.id ?? lastId;
        if (read) yield read;
      }
      signal?.throwIfAborted();
      // The service closes a stream after an hour, and before it stops.
      await wait(retryMs * Math.random(), signal);
    } catch (error) {
      signal?.throwIfAborted();
      const fault = error instanceof HoldfastError ? error : interrupted("The stream broke off.", error);
      if (fault.status === 400 && lastId !== undefined) {
        // The place is not known any more, as after another secret. The list is read again from its beginning.
        lastId = undefined;
        wantsSnapshot = true;
        yield { event: "reset" };
        continue;
      }
      if (isPathGone(fault) && !hasForgotten) {
        calls.discoveries.forget(calls.unit);
        hasForgotten = true;
        continue;
      }
      if (!mayComeBack(fault, wasOpen, failures, asked.retries)) throw fault;
      const pause = Math.max(pauseAfter(fault, failures), wasOpen && failures === 0 ? retryMs * Math.random() : 0);
      failures += 1;
      onInterruption?.(fault, pause);
      await wait(pause, signal);
    }
  }
}

/** Before there ever was an answer, the address may be wrong: that is said soon. Afterwards the service comes back. */
function mayComeBack(fault: HoldfastError, wasOpen: boolean, failures: number, retries = 3): boolean {
  if (!isAway(fault) && fault.status !== 429) return false;
  return wasOpen || failures < retries;
}

/** Reads an event; nothing for one that this client does not know. The last event of a stream throws why it ends. */
function readEvent({ event, data }: EventSourceMessage): WatchEvent<unknown> | undefined {
  switch (event) {
    case "snapshot":
      return { event, page: pageIn(data) };
    case "match":
    case "task":
      return { event, item: JSON.parse(data) };
    case "gone":
      return { event, id: JSON.parse(data).id };
    case "reset":
      return { event };
    case "end": {
      const { errors }: { errors: Fault[] } = JSON.parse(data);
      throw new HoldfastError({ status: Math.floor((errors[0]?.error_code ?? 40_100) / 100), faults: errors });
    }
    default:
      return undefined;
  }
}

function interrupted(message: string, cause?: unknown): HoldfastError {
  return new HoldfastError({ status: 0, faults: [{ error_code: 0, error_message: message }], cause });
}
