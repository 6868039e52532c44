/** Something needs attention, and the result says what: the exit code is 1, without a further word. */
export class NeedsAttention extends Error {
  override readonly name = "NeedsAttention";
}
