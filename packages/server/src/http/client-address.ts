import { BlockList, isIP } from "node:net";

/** The longest chain of proxies. Entries beyond it are ignored: any client can write them. */
const maxHops = 20;

/** Gives the client address of a request: the peer, or the address that a trusted proxy names. */
export type ClientAddress = (peer: string, headers: Headers) => string;

/**
 * X-Forwarded-For counts only as far as the proxies that wrote it are trusted: from the right, each address was added by
 * the one after it, and the first that is no trusted proxy is the client. Any client can write everything left of that.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return plainAddress;
  const trusted = new BlockList();
  for (const proxy of trustedProxies) {
    const [address = "", prefix] = proxy.split("/");
    const family = familyOf(address);
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  return (peer, headers) => {
    const forwarded = headers.get("x-forwarded-for") ?? "";
    let client = plainAddress(peer);
    let end = forwarded.length;
    for (let hops = 0; hops < maxHops && isIP(client) > 0 && trusted.check(client, familyOf(client)); hops++) {
      const comma = forwarded.lastIndexOf(",", end - 1);
      const next = plainAddress(withoutPort(forwarded.slice(comma + 1, Math.max(end, 0))));
      end = comma;
      if (isIP(next) === 0) break;
      client = next;
    }
    return client;
  };
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** Without the prefix that an IPv4 address has on a socket for both. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=[0-9.]+$)/i, "");
}

function withoutPort(entry: string): string {
  const text = entry.trim();
  return /^\[([^\]]*)\](:[0-9]+)?$/.exec(text)?.[1] ?? /^([0-9.]+):[0-9]+$/.exec(text)?.[1] ?? text;
}
