import { cleanLine } from "@holdfast/api/conventions/clean-line";
import { isEmail } from "@holdfast/api/conventions/email";
import { type GroupRole, readGroupRoles } from "./group-roles";
import { isUnspecified } from "./loopback";
import { isNetwork } from "./network";

/** Reads a setting from the text that it was written as, or throws an UnusableText. Zod is not used: all commands load this file. */
export type Parser<Value> = (text: string) => Value;

/** A text that is no value of a setting; the message says what it has to be. */
export class UnusableText extends Error {
  override readonly name = "UnusableText";
}

/** Where metrics have a port of their own. */
export interface MetricsAddress {
  host: string;
  port: number;
}

export const anyText: Parser<string> = (text) => text;

export function satisfying(isUsable: (text: string) => boolean, expected: string): Parser<string> {
  return (text) => {
    if (isUsable(text)) return text;
    throw new UnusableText(expected);
  };
}

export function matching(pattern: RegExp, expected: string): Parser<string> {
  return satisfying((text) => pattern.test(text), expected);
}

export function wholeNumber(min: number, max: number): Parser<number> {
  const isUsable = (text: string) => /^[0-9]+$/.test(text) && Number(text) >= min && Number(text) <= max;
  const parse = satisfying(isUsable, `a whole number from ${min} to ${max}`);
  return (text) => Number(parse(text));
}

export function oneOf<Word extends string>(words: readonly Word[]): Parser<Word> {
  return (text) => {
    const word = words.find((candidate) => candidate === text);
    if (word !== undefined) return word;
    throw new UnusableText(`one of ${words.join(", ")}`);
  };
}

export const boolean: Parser<boolean> = (text) => matching(/^(true|false)$/, "true or false")(text) === "true";

/** Reads no text as no value. */
export function optional<Value>(parse: Parser<Value>): Parser<Value | undefined> {
  return (text) => (text === "" ? undefined : parse(text));
}

/** Reads items with commas between them. */
export function list<Item>(parse: Parser<Item>): Parser<Item[]> {
  return (text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map(parse);
}

export const baseUrl: Parser<string> = (text) => {
  const url = URL.parse(text);
  if (url && ["http:", "https:"].includes(url.protocol) && !url.search && !url.hash && !url.username) {
    return url.href.replace(/\/+$/, "");
  }
  throw new UnusableText("an address such as https://backup.example.org");
};

/** Reads a base URL that other hosts can call. */
export const reachableUrl: Parser<string> = (text) =>
  satisfying(
    (url) => !isUnspecified(new URL(url).hostname),
    "an address that other hosts can call, such as https://backup.example.org: 0.0.0.0 is all addresses of a machine",
  )(baseUrl(text));

export const metricsAddress: Parser<MetricsAddress> = (text) => {
  const [, host = "127.0.0.1", port] = /^(?:([^\s/:]+|\[[0-9A-Fa-f:.]+\]):)?([0-9]{1,5})$/.exec(text) ?? [];
  if (Number(port) <= 65535) return { host, port: Number(port) };
  throw new UnusableText("an address and a port, such as 127.0.0.1:9464");
};

export const groupRoles: Parser<GroupRole[]> = (text) => {
  const roles = readGroupRoles(text);
  if (roles) return roles;
  throw new UnusableText("pairs such as backup-admins=admin, auditors=viewer@<unit id>, or the same as JSON");
};

export function isSmtpUrl(text: string): boolean {
  return /^smtps?:\/\/[^/]/.test(text) && URL.canParse(text);
}

export function isTarget(text: string): boolean {
  return isNetwork(text) || (/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(text) && /[a-z]/i.test(text));
}

export function isSender(text: string): boolean {
  const address = /^[^<>\p{Cc}]*<([^<>]*)>$/u.exec(text)?.[1] ?? text;
  return isEmail(address);
}

/** An OpenID provider is asked over https, unless it is on this very machine. */
export function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.search || url.hash || url.username) return false;
  const isHere = ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isHere);
}

export function isShortLine(text: string): boolean {
  return text.length <= 100 && cleanLine(text, 100) === text;
}
