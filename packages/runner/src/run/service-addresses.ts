import type { Client } from "@holdfast/client";

type AskedClient = Pick<Client, "baseUrl" | "caller">;

/**
 * Creates a check if an address is one that the service has as well, or had before. The service that the token is for is asked
 * once, when there is something to check. What was meant for an https address is never entrusted to a connection without
 * TLS: there, anybody on the way could claim the address.
 */
export function createAddressCheck(client: AskedClient, signal: AbortSignal): (address: string) => Promise<boolean> {
  let addresses: Promise<ReadonlySet<string>> | undefined;
  return async (address) => {
    if (address.startsWith("https:") && !isTrustworthy(client.baseUrl)) return false;
    addresses ??= readAddresses(client, signal);
    return (await addresses).has(address);
  };
}

/** Reads all addresses of the service; none if it does not answer, or does not know of them yet. */
async function readAddresses(client: AskedClient, signal: AbortSignal): Promise<ReadonlySet<string>> {
  try {
    const { base_url, base_url_aliases }: { base_url?: string; base_url_aliases?: string[] } = await client.caller.read(
      { signal },
    );
    return new Set([...(base_url_aliases ?? []), ...(base_url === undefined ? [] : [base_url])]);
  } catch {
    return new Set();
  }
}

/** With TLS, or on this very machine. */
function isTrustworthy(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "https:" || ["localhost", "[::1]"].includes(hostname) || hostname.startsWith("127.");
}
