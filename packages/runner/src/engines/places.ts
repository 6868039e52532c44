import { posix } from "node:path";
import type { Invocation } from "./engine";

/** The id of something that is on a host: two hosts with the same folder have two items. */
export function onHost(host: string, what: string): string {
  return `${host}/${what.replace(/^\/+/, "")}`;
}

/** A path as it is from everywhere on its host. */
export function absolutePath(path: string, { folder }: Pick<Invocation, "folder">): string {
  return posix.resolve(folder, path);
}

/** A local path as an item. */
export function folderItem(path: string, invocation: Invocation): { type: string; value: string } {
  return { type: "folder", value: onHost(invocation.host, steadyDates(absolutePath(path, invocation))) };
}

/** A database as an item: `<host>/<database>` on this host, and `<database>@<server>` elsewhere. */
export function databaseItem(database: string, server: string, host: string): { type: string; value: string } {
  return { type: "database", value: isThisHost(server) ? onHost(host, database) : `${database}@${server}` };
}

/** Returns true if a server is this host: none was named, or a socket, or a name that every host has for itself. */
export function isThisHost(server: string): boolean {
  return /^$|^[/@]|^(localhost(\.localdomain)?|127(\.\d+){3}|\[?::1\]?)$/i.test(server);
}

/** A file that names sources or a repository, as a part of an operation: what it contains is not looked at. */
export function listedIn(files: readonly string[] | undefined, invocation: Invocation): string[] {
  return (files ?? [])
    .filter((file) => file !== "" && file !== "-")
    .map((file) => `@${absolutePath(file, invocation)}`);
}

/** The folder that a file is written to. Its own name often has a date, so it is left out. */
export function targetFolder(file: string | undefined, invocation: Invocation): string | undefined {
  if (file === undefined || file === "" || file === "-") return undefined;
  const path = /^[^/]+:/.test(file) ? file : absolutePath(file, invocation);
  const folder = posix.dirname(path);
  return isTemporary(folder) ? undefined : folder;
}

function isTemporary(folder: string): boolean {
  return /^(\/var)?\/tmp(\/|$)/.test(folder);
}

const day = 86_400_000;
const dates =
  /(?<!\d)(?:(?<y>20\d\d)(?<s>[-_.]?)(?<m>\d\d)\k<s>(?<d>\d\d)|(?<d2>\d\d)(?<s2>[-_.])(?<m2>\d\d)\k<s2>(?<y2>20\d\d))(?:[-_.T ]?\d\d[-_.:]?\d\d(?:[-_.:]?\d\d)?Z?)?(?!\d)/g;

/** A path without the date of today in it, which would be another one tomorrow. Other dates are names of folders. */
export function steadyDates(text: string, now = Date.now()): string {
  return text.replace(dates, (found, ...rest) => {
    const { y, m, d, y2, m2, d2 }: Record<string, string | undefined> = rest.at(-1);
    const moment = Date.UTC(Number(y ?? y2), Number(m ?? m2) - 1, Number(d ?? d2));
    return Math.abs(moment + day / 2 - now) < 2 * day ? "*" : found;
  });
}

/** A path without what is made up for one run: its time in seconds, and names of `mktemp` and the like. */
export function steadyPath(text: string, now = Date.now()): string {
  return steadyDates(text, now)
    .replace(/(?<!\d)\d{10}(?:\d{3})?(?!\d)/g, (found) => {
      const milliseconds = Number(found.padEnd(13, "0"));
      return Math.abs(milliseconds - now) < 2 * day ? "*" : found;
    })
    .replace(/(?<=^|\/)tmp(?:\.[A-Za-z0-9]{6,12}|[a-z0-9_]{8})(?=\/|$)/g, "tmp.*");
}
