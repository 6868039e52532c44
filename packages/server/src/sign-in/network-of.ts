import { isIPv6 } from "node:net";

/** Who has one address of IPv6 has a whole network of them, so that is what is counted. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const filled =
    tail === undefined ? groups : [...groups, ...Array(8 - groups.length - after.length).fill("0"), ...after];
  const network = filled.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
