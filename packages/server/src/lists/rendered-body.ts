/** Body that was written to answer a call. */
export interface RenderedBody {
  /** JSON. */
  body: string;
  /** Set if it changes by the clock, without a commit, so that it is not cached. */
  isVolatile?: true;
}
