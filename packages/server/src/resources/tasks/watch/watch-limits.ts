/** Limits of streams: their number and lifetime. Times are milliseconds. */
export interface WatchLimits {
  /** In this process. */
  streams: number;
  /** Of one token or session. */
  ofCaller: number;
  /** Lifetime of a stream. */
  life: number;
  /** Interval between comments that keep it open. */
  commentEvery: number;
  /** Limits for a client: the number of waiting bytes, and the time in which it may take none of them. */
  maxWaitingBytes: number;
  maxWaitMs: number;
}

export const defaultWatchLimits: WatchLimits = {
  streams: 2_000,
  ofCaller: 10,
  life: 3_600_000,
  commentEvery: 15_000,
  maxWaitingBytes: 1_048_576,
  maxWaitMs: 10_000,
};
