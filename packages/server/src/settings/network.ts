import { isIP } from "node:net";

/** True if a text names a proxy that can be trusted: an address, or a network such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const maxLength = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isPrefix = prefix === undefined || (/^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= maxLength);
  return maxLength > 0 && isPrefix && rest.length === 0;
}
