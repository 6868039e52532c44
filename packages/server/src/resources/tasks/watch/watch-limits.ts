/** How many streams there may be, and for how long each. Times are milliseconds. */
export interface WatchLimits {
  /** In this process. */
  streams: number;
  /** Of one token or session. */
  ofCaller: number;
  /** How long a stream goes on. */
  life: number;
  /** How often it says that it does. */
  commentEvery: number;
  /** How many bytes may wait for a client, and how long it may take none of them. */
  mostWaiting: number;
  longestWait: number;
}

export const usualWatchLimits: WatchLimits = {
  streams: 2_000,
  ofCaller: 10,
  life: 3_600_000,
  commentEvery: 15_000,
  mostWaiting: 1_048_576,
  longestWait: 10_000,
};
