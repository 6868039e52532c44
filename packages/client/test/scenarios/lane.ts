/** Fault that the proxy before the service causes in a request. */
export type ProxyFault =
  | { kind: "answer"; status: number; headers?: Record<string, string>; body?: string }
  /** The connection is cut, and the service hears of nothing. */
  | { kind: "cut before" }
  /** The service answers, and the connection is cut instead of passing that on. */
  | { kind: "cut after" }
  /** So many bytes of the answer are passed on. */
  | { kind: "cut within"; bytes: number }
  /** Nothing comes, and the connection stays open. */
  | { kind: "hang" }
  /** Texts in the answer are replaced. */
  | { kind: "rewrite"; from: readonly string[]; to: string };

export interface Rule {
  /** A pattern for the line of the request: `^GET /tasks`. */
  pattern: string;
  /** Number of times; always if undefined. */
  times?: number;
  fault: ProxyFault;
}

/** A request as the proxy has seen it. */
export interface ProxiedRequest {
  line: string;
  /** By the proxy's own clock, in milliseconds. */
  at: number;
  key?: string;
}

/** The part of the proxy that belongs to one scenario. */
export interface Lane {
  /** A fetch whose requests this lane's rules are for. */
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Sets what happens from now on. */
  rule(...rules: Rule[]): Promise<void>;
  /** The requests until now whose lines match. */
  requests(pattern: string): Promise<ProxiedRequest[]>;
}

/** Opens a lane of the proxy. */
export function openLane(baseUrl: string): Lane {
  const url = `${baseUrl}/-/lanes/${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
  const name = url.slice(url.lastIndexOf("/") + 1);
  return {
    fetch: (target, init) => {
      const headers = new Headers(init.headers);
      headers.set("x-test-lane", name);
      return fetch(target, { ...init, headers });
    },
    async rule(...rules) {
      await (await fetch(url, { method: "POST", body: JSON.stringify(rules) })).text();
    },
    async requests(pattern) {
      const all: ProxiedRequest[] = JSON.parse(await (await fetch(url)).text());
      return all.filter(({ line }) => new RegExp(pattern).test(line));
    },
  };
}
