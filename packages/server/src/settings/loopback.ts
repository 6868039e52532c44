/** True if a host is this very machine, which nothing else reaches over a network. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.[0-9]{1,3}){3}|::1|\[::1\])$/i.test(host);
}

/** Returns true if a host stands for all addresses of a machine: it can be listened on, and nothing can be sent to it. */
export function isUnspecified(host: string): boolean {
  const url = URL.parse(`http://${bracketed(host)}`);
  return url !== null && ["0.0.0.0", "[::]", "[::ffff:0:0]"].includes(url.hostname);
}

/** A host as it stands in a URL: an IPv6 address has brackets. */
export function bracketed(host: string): string {
  return host.includes(":") ? `[${host.replace(/^\[|\]$/g, "")}]` : host;
}
