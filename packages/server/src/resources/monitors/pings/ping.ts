import { refuse, refuseField } from "@holdfast/api/conventions/api-error";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { parseUuid } from "@holdfast/api/conventions/uuid";
import { slugPattern } from "@holdfast/api/resources/monitors";
import { hashCapability } from "../ping-url";

/** Signal of a ping: that a run begins or ends, with which exit status, or only a text for the log. */
export type Signal = "start" | "success" | "fail" | "log" | { exitStatus: number };

/** Target of a ping: a monitor by its own URL, or one of a unit by a key and its slug. */
export type PingTarget = { urlHash: string } | { keyHash: string; slug: string; mayCreate: boolean };

/** A ping, as far as its address says. */
export interface Ping {
  target: PingTarget;
  signal: Signal;
  /** The UUID that its sender gave the run. */
  rid: string | null;
}

const keyShape = /^[A-Za-z0-9_-]{22}$/;
const largestStatus = 255;

/**
 * Reads the address of a ping: the parts of the path behind `/ping/`, and the query. Refuses what no tool would send. Gives
 * nothing for an address that leads nowhere.
 */
export function readPing(parts: readonly string[], query: URLSearchParams): Ping | undefined {
  const [first = "", ...rest] = parts;
  const uuid = parseUuid(first);
  if (uuid !== undefined) {
    const [word, ...more] = rest;
    return readRest({ urlHash: hashCapability(uuid) }, word, more, query);
  }
  const [slug, word, ...more] = rest;
  if (!keyShape.test(first) || slug === undefined) return undefined;
  if (!slugPattern.test(slug) || slug.length > textLimits.slug) {
    throw refuse(
      "urlMalformed",
      "A slug has 1 to 100 characters of a-z, 0-9, _ and -. Capital letters are not among them.",
    );
  }
  const target = { keyHash: hashCapability(first), slug, mayCreate: query.get("create") === "1" };
  return readRest(target, word, more, query);
}

/** One answer for every ping that reaches nothing: it does not say what is wrong with it. */
export function nothingToPing() {
  return refuse("itemUnknown", "There is nothing to ping at this URL. Compare it with the ping URL of the monitor.");
}

function readRest(
  target: PingTarget,
  word: string | undefined,
  more: readonly string[],
  query: URLSearchParams,
): Ping | undefined {
  const signal = readSignal(word);
  if (signal === undefined || more.length > 0) return undefined;
  return { target, signal, rid: readRid(query.get("rid")) };
}

function readSignal(word: string | undefined): Signal | undefined {
  if (word === undefined) return "success";
  if (word === "start" || word === "fail" || word === "log") return word;
  if (!/^\d+$/.test(word)) return undefined;
  const exitStatus = Number(word);
  if (exitStatus > largestStatus) {
    throw refuse("urlMalformed", `An exit status is a number from 0 to ${largestStatus}.`);
  }
  return exitStatus === 0 ? "success" : { exitStatus };
}

function readRid(text: string | null): string | null {
  if (text === null) return null;
  const rid = parseUuid(text);
  if (rid !== undefined) return rid;
  throw refuseField("parameterInvalid", "rid", "The parameter rid has to be a UUID, such as uuidgen writes it.");
}

/** Stored name of a signal, with the run that it ended. */
export function nameOfSignal(signal: Signal): string {
  return typeof signal === "string" ? signal : String(signal.exitStatus);
}
