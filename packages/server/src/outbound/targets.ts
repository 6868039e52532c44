import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isLoopback } from "../settings/loopback";
import { isNetwork } from "../settings/network";
import { createNetworks, isPublicAddress } from "./addresses";

/** Finds all addresses that a name has now. */
export type Resolve = (name: string) => Promise<string[]>;

/** A target that was checked: the addresses are the ones to connect to, whatever the name leads to a moment later. */
export interface Target {
  isTls: boolean;
  /** As TLS names it; an address has no brackets. */
  name: string;
  /** As the header Host names it. */
  host: string;
  port: number;
  path: string;
  addresses: readonly string[];
}

/** A target that must not be sent to. The message says what it would have to be, after "has to be". */
export class TargetRefused extends Error {
  override readonly name = "TargetRefused";
}

/** A name that leads nowhere, or that could not be asked for. */
export class TargetUnknown extends Error {
  override readonly name = "TargetUnknown";
}

/** Says where messages may be sent. */
export interface Targets {
  /** Resolves the name and checks all of its addresses. */
  find(url: string): Promise<Target>;
  /** Refuses a URL whose name was not found, where only an address could allow it: without TLS, and not named. */
  requireTlsOrNamed(url: string): void;
  /** Refuses a URL that is read as another one than it looks like. Only for new ones: what is stored is read as it was. */
  requirePlainSpelling(url: string): void;
}

export interface TargetOptions {
  /** Names, addresses and networks that may be sent to although they are not on the internet, also without TLS. */
  allowed: readonly string[];
  /** The address of this service, which is never a target: a message could lead to the next one. */
  baseUrl: string;
  /** Its further addresses, for which the same holds. */
  baseUrlAliases?: readonly string[] | undefined;
  /** Asks for the addresses of a name. Only tests ask another server than the system does. */
  resolve?: Resolve | undefined;
}

/** The ports below 1024 that speak HTTP. All others there are of services that could take a message for something else. */
const lowPorts = [80, 443];
const maxAddresses = 16;

export function createTargets({
  allowed,
  baseUrl,
  baseUrlAliases = [],
  resolve = resolveBySystem,
}: TargetOptions): Targets {
  const isAllowedAddress = createNetworks(allowed.filter(isNetwork));
  const allowedNames = new Set(allowed.filter((text) => !isNetwork(text)).map(plainName));
  const own = [baseUrl, ...baseUrlAliases].map((address) => new URL(address));

  return {
    async find(text) {
      const url = readUrl(text);
      const name = plainName(url.hostname);
      const port = portOf(url);
      if (own.some((one) => name === plainName(one.hostname) && samePort(port, portOf(one)))) throw ownAddress();
      const addresses = knownAddresses(name) ?? (await resolve(name).catch(() => []));
      if (addresses.length === 0) throw new TargetUnknown(`The name ${name} was not found.`);
      const isNamed = allowedNames.has(name);
      const isAllowed = (address: string) => isNamed || isAllowedAddress(address);
      if (!addresses.every((address) => isAllowed(address) || isPublicAddress(address))) throw notPublic(name);
      const isOwnPort = own.some((one) => isLoopback(one.hostname) && port === portOf(one));
      if (isOwnPort && addresses.some(isThisMachine)) throw ownAddress();
      if (url.protocol === "http:" && !addresses.every(isAllowed)) throw withoutTls();
      return {
        isTls: url.protocol === "https:",
        name,
        host: url.host,
        port,
        path: `${url.pathname}${url.search}`,
        // Most networks have IPv4, and some that have IPv6 lead nowhere.
        addresses: addresses.toSorted((a, b) => isIP(a) - isIP(b)).slice(0, maxAddresses),
      };
    },
    requireTlsOrNamed(text) {
      const url = readUrl(text);
      if (url.protocol === "http:" && !allowedNames.has(plainName(url.hostname))) throw withoutTls();
    },
    requirePlainSpelling,
  };
}

/** The addresses of a name that needs no asking: it is an address, or this machine whatever a server of names says. */
function knownAddresses(name: string): string[] | undefined {
  if (isIP(name) > 0) return [name];
  return name === "localhost" || name.endsWith(".localhost") ? ["127.0.0.1"] : undefined;
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new TargetRefused("an address that begins with https://");
  }
  if (url.username !== "" || url.password !== "") {
    throw new TargetRefused("an address without a user. Send what the receiver asks for in authorization");
  }
  const port = portOf(url);
  if (port < 1024 && !lowPorts.includes(port)) {
    throw new TargetRefused("an address with the port 80, 443 or one from 1024 on");
  }
  return url;
}

/**
 * Parsing a URL repairs it: it drops tabs and line breaks, takes `\` for `/`, skips missing or additional slashes, decodes the
 * host and maps its characters. Each of these makes an address look like another one, so only the repaired form is accepted.
 */
function requirePlainSpelling(text: string): void {
  if (/[\s\p{C}\\]/u.test(text)) {
    throw new TargetRefused("an address without spaces, line breaks, control characters and backslashes");
  }
  const url = readUrl(text);
  const [, written] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? [];
  if (written === undefined) throw new TargetRefused("an address with a host, such as https://hooks.example.org/path");
  if (written.includes("@")) throw new TargetRefused("an address without an @ before its host");
  const { hostname, host } = url;
  if (![host, `${hostname}:${portOf(url)}`].includes(written.toLowerCase())) {
    throw new TargetRefused(`an address whose host is written as ${host}`);
  }
  if (!hostname.startsWith("[") && !isHostName(plainName(hostname))) {
    throw new TargetRefused(
      "an address with the name of a host: letters, digits, - and _, with single dots between them",
    );
  }
}

/** Checks the labels of a name as DNS limits them. Other than there, `_` is allowed: names in private networks have it. */
function isHostName(name: string): boolean {
  return name.length <= 253 && name.split(".").every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label));
}

function notPublic(name: string): TargetRefused {
  return new TargetRefused(
    `an address on the internet, which ${name} is not. If this service is to reach it, name it in the setting webhook_allowed_targets`,
  );
}

function withoutTls(): TargetRefused {
  return new TargetRefused(
    "an address that begins with https://, unless the setting webhook_allowed_targets names its host",
  );
}

function ownAddress(): TargetRefused {
  return new TargetRefused("another address than that of this service");
}

/** A name in one spelling: lower case, without the dot of the root and without brackets. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/** A service on one of the usual ports has the other one, too, most of the time. */
function samePort(a: number, b: number): boolean {
  return a === b || (lowPorts.includes(a) && lowPorts.includes(b));
}

const isThisMachine = createNetworks(["127.0.0.0/8", "::1", "0.0.0.0/8", "::"]);

async function resolveBySystem(name: string): Promise<string[]> {
  return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);
}
