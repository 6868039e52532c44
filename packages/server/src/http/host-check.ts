/** A name of 253 characters, the longest that there is, and a port. */
const maxHostLength = 259;

/**
 * Checks whether a Host header names this service. A browser can be made to call any address under a name of an
 * attacker's choosing, so names have to be known; an IP address cannot be faked in that way.
 */
export function createHostCheck(
  baseUrls: readonly string[],
  allowedHosts: readonly string[],
): (host: string) => boolean {
  const ours = baseUrls.map((baseUrl) => new URL(baseUrl).host);
  const names = new Set(["localhost", ...ours.map(nameOf), ...allowedHosts.map(nameOf)]);
  const cache = new Map<string, boolean>();
  return (host) => {
    if (host.length > maxHostLength) return false;
    const known = cache.get(host);
    if (known !== undefined) return known;
    const isOurs = isWellFormed(host) && (names.has("*") || names.has(nameOf(host)) || isAddress(nameOf(host)));
    if (cache.size < 100) cache.set(host, isOurs);
    return isOurs;
  };
}

function isWellFormed(host: string): boolean {
  return /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?$/.test(host) && URL.canParse(`http://${host}/`);
}

function isAddress(name: string): boolean {
  return /^[0-9]{1,3}(\.[0-9]{1,3}){3}$/.test(name) || name.startsWith("[");
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/:[0-9]*$/, "");
}
