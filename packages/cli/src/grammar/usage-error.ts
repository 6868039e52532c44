/** The command was used wrongly; the message says how to use it. */
export class WrongUse extends Error {
  override readonly name = "WrongUse";
}
