import { type Fault, refuseAll, refuseField } from "@holdfast/api/conventions/api-error";
import { formatFilter, parseFilter } from "@holdfast/api/conventions/filter";
import { acceptsEventStream, type VersionOffer } from "@holdfast/api/conventions/media-type";
import type { WatchOperation } from "@holdfast/api/conventions/operation";
import { type PageSizes, parseLimit } from "@holdfast/api/conventions/paging";
import { parseParameters } from "@holdfast/api/conventions/parse-parameters";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { watchParameterNames } from "@holdfast/api/resources/task-watch";
import { taskFilters } from "@holdfast/api/resources/tasks";
import { unitAndAbove } from "../access/unit-paths";
import type { PageSettings } from "../lists/page";
import { authorize } from "../operations/authorize";
import { createEventQueue } from "../resources/tasks/watch/event-queue";
import type { TaskFeed } from "../resources/tasks/watch/feed";
import { lostPlace, parsePlace, type StreamPlace } from "../resources/tasks/watch/stream-place";
import { watchTasks } from "../resources/tasks/watch/watch-tasks";
import { authenticate } from "./authenticate";
import type { Exchange } from "./endpoint";
import { type IdentifyParts, identifyRequest, type RequestContext } from "./identify-request";
import type { NameLinks } from "./name-links";
import type { Reply } from "./reply";

/** Parts that answering with a stream needs. */
export interface AnswerWatchParts extends IdentifyParts, Pick<PageSettings, "cursorSealer"> {
  /** Feed that streams of tasks follow. */
  taskFeed: TaskFeed;
  pageSizes: PageSizes;
  nameLinks: NameLinks;
  clock: () => number;
}

/** Longer than any event id, in characters. */
const maxIdLength = 1_000;

/** Reads the page that a stream begins with, as the list would answer it. */
export type ReadFirstPage = (identified: RequestContext, query: string, signal: AbortSignal) => Promise<string>;

/**
 * The way of a request for a stream: as for any list, but what is sent goes on. The caller is checked again for as long as
 * it does.
 */
export async function handleWatch(
  exchange: Exchange<AnswerWatchParts>,
  offer: VersionOffer,
  operations: ReadonlyMap<number, WatchOperation>,
  readFirstPage: ReadFirstPage,
): Promise<Reply<ReadableStream<Uint8Array>>> {
  const { parts, request } = exchange;
  const accept = request.headers.get("accept");
  const identified = await identifyRequest(exchange, offer, acceptsEventStream(accept) ? null : accept);
  const { caller, context, version, dataVersions } = identified;
  const operation = operations.get(version);
  if (!operation) throw new Error(`Version ${version} is offered, but nothing declares it.`);
  const { filter, firstPage, lastEventId } = readParameters(exchange);
  authorize(operation, caller, context.permissions);
  const purpose = JSON.stringify(["watch", version, context.unitId, formatFilter(filter)]);
  const since = lastEventId === undefined ? undefined : openPlace(exchange, lastEventId, purpose);

  const path = await parts.database.snapshot((db) => unitAndAbove(db, caller.unitId));
  const units = path.filter((id) => id !== rootUnitId);

  // The runtime's view of a request may be gone once its answer has begun.
  const lasting = { ...exchange, request: new Request(request.url, { headers: new Headers(request.headers) }) };
  const left = new AbortController();
  const queue = createEventQueue({ ...parts.taskFeed.limits, onEnd: () => left.abort() });
  // A client that leaves before there is an answer never takes anything from it.
  request.signal.addEventListener("abort", queue.end);
  await watchTasks(
    {
      database: parts.database,
      feed: parts.taskFeed,
      clock: parts.clock,
      requireRights: async (dataVersions) => {
        const again = await authenticate(lasting, dataVersions);
        const { permissions } = await parts.unitAccess(again, context.unitId, dataVersions.access);
        authorize(operation, again, permissions);
        return again.goodUntil;
      },
      readFirstPage: () => readFirstPage(identified, firstPage ?? "", left.signal),
      seal: (place) => parts.cursorSealer.seal(`${parts.database.identity} ${place}`, purpose),
      nameLinks: parts.nameLinks,
      // Data sent to it lies in the way of the end, so its connection is cut as an idle one is.
      onStuck: () => exchange.allowSilence(),
    },
    {
      holders: { callerId: caller.tokenId, sharers: [caller.limitedAs, ...units] },
      unitId: context.unitId,
      purpose,
      dataVersions,
      filter,
      since,
      wantsFirstPage: firstPage !== undefined,
      goodUntil: caller.goodUntil,
      left: left.signal,
    },
    queue,
  );
  return {
    status: 200,
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    },
    body: queue.stream,
  };
}

function readParameters({ parts, request, address }: Exchange<Pick<AnswerWatchParts, "pageSizes">>) {
  const faults: Fault[] = [];
  const parameters = parseParameters(address.query, watchParameterNames, faults);
  const limit = parseLimit(parameters.get("limit"), parts.pageSizes, faults);
  const filterText = parameters.get("filter") || undefined;
  const { filter, faults: filterFaults } = parseFilter(filterText ?? "{}", taskFilters);
  faults.push(...filterFaults.map((fault) => ({ ...fault, field: "filter" })));
  const snapshot = parameters.get("snapshot") ?? "true";
  if (snapshot !== "true" && snapshot !== "false") {
    faults.push({
      name: "parameterInvalid",
      message: "The parameter snapshot has to be true or false.",
      field: "snapshot",
    });
  }
  refuseAll(faults);
  const listQuery = `limit=${limit}${filterText === undefined ? "" : `&filter=${encodeURIComponent(filterText)}`}`;
  const lastEventId = request.headers.get("last-event-id") || parameters.get("last_event_id") || undefined;
  return { filter, firstPage: snapshot === "true" ? listQuery : undefined, lastEventId };
}

function openPlace(
  { parts }: Exchange<Pick<AnswerWatchParts, "cursorSealer" | "database">>,
  id: string,
  purpose: string,
): StreamPlace {
  const opened = id.length > maxIdLength ? undefined : parts.cursorSealer.open(id, purpose);
  const [identity, ...numbers] = opened?.split(" ") ?? [];
  const place = opened === undefined ? undefined : parsePlace(numbers.join(" "));
  if (place) return identity === parts.database.identity ? place : lostPlace;
  throw refuseField(
    "cursorInvalid",
    "Last-Event-ID",
    "This event id was altered, or made for another filter, version or organizational unit. Watch without it.",
  );
}
