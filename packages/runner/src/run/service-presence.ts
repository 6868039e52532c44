import { type Fetch, HoldfastError } from "@holdfast/client";

/** Knows whether the service has answered when it was last asked. */
export interface ServicePresence {
  isThere(): boolean;
  /** Makes requests, and notes the answers. */
  fetch: Fetch;
  /** Notes a request that has failed. One that was given up says nothing. */
  noteFailure(error: unknown): void;
}

export function createServicePresence(request: Fetch = fetch): ServicePresence {
  let isThere = false;
  return {
    isThere: () => isThere,
    async fetch(url, init) {
      const response = await request(url, init);
      isThere ||= response.status < 500;
      return response;
    },
    noteFailure(error) {
      if (error instanceof HoldfastError) isThere = isAnswer(error);
    },
  };
}

/** Returns true if the service itself has answered, and not a proxy that answers for an absent service. */
function isAnswer({ status, codes }: HoldfastError): boolean {
  return status > 0 && !(status >= 502 && status <= 504 && codes.every((code) => code === 0));
}
