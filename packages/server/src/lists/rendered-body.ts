/** What was written to answer a call. */
export interface RenderedBody {
  /** JSON. */
  body: string;
  /** What the ETag speaks of, where that is not the whole body. */
  etagSource?: string;
  /** Whether it holds now, so that it may be kept until anything is committed; what a replica gives may be older. */
  isCurrent: boolean;
}
