import { isIP } from "node:net";

/** The bytes of an address: 4, or 16. What is only another spelling of an IPv4 address has 4. */
type Bytes = readonly number[];

/** Networks of IPv4 that are not on the internet. */
const privateIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
].map(readNetwork);

/** Range of IPv6 addresses on the internet, and exceptions within it: protocols, Teredo, documentation. */
const publicIpv6 = readNetwork("2000::/3");
const privateIpv6 = ["2001::/23", "2001:db8::/32", "3fff::/20"].map(readNetwork);
/** Addresses that stand for one of IPv4, and where in their bytes that is. */
const embeddings = [
  { network: readNetwork("64:ff9b::/96"), at: 12 },
  { network: readNetwork("2002::/16"), at: 2 },
];

interface Network {
  bytes: Bytes;
  prefix: number;
}

/** True if an address is one of the internet: neither private, nor of this machine, nor set aside for something else. */
export function isPublicAddress(address: string): boolean {
  const bytes = readAddress(address);
  return bytes !== undefined && isPublic(bytes);
}

function isPublic(bytes: Bytes): boolean {
  if (bytes.length === 4) return !privateIpv4.some((network) => isIn(bytes, network));
  const embedded = embeddings.find(({ network }) => isIn(bytes, network));
  if (embedded) return isPublic(bytes.slice(embedded.at, embedded.at + 4));
  return isIn(bytes, publicIpv6) && !privateIpv6.some((network) => isIn(bytes, network));
}

/** Makes what says whether an address is in one of some networks or is one of some addresses. */
export function createNetworks(texts: readonly string[]): (address: string) => boolean {
  const networks = texts.map(readNetwork);
  return (address) => {
    const bytes = readAddress(address);
    return bytes !== undefined && networks.some((network) => isIn(bytes, network));
  };
}

function isIn(bytes: Bytes, network: Network): boolean {
  if (bytes.length !== network.bytes.length) return false;
  return network.bytes.every((byte, index) => {
    const bits = Math.min(8, Math.max(0, network.prefix - index * 8));
    const mask = 0xff & ~(0xff >> bits);
    return (byte & mask) === ((bytes[index] ?? 0) & mask);
  });
}

/** A network, or an address as the network of itself alone. */
function readNetwork(text: string): Network {
  const [address = "", prefix] = text.split("/");
  const bytes = readAddress(address);
  if (!bytes) throw new Error(`${text} is no network.`);
  const maxLength = bytes.length * 8;
  // An IPv4 network may be written as one of IPv6: its prefix counts from where the IPv4 address begins.
  const given = prefix === undefined ? maxLength : Number(prefix) - (isIP(address) === 6 && maxLength === 32 ? 96 : 0);
  return { bytes, prefix: Math.max(0, given) };
}

/** The bytes of an address, without its zone; nothing where it is none. */
function readAddress(text: string): Bytes | undefined {
  const address = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (isIP(address) === 4) return address.split(".").map(Number);
  if (isIP(address) !== 6) return undefined;
  const bytes = expand(address);
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  return isMapped ? bytes.slice(12) : bytes;
}

function expand(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  return [...before, ...new Array<number>(16 - before.length - after.length).fill(0), ...after];
}

function groupsOf(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (group.includes(".")) return group.split(".").map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
