/** The command was not used as it has to be; the message tells how. */
export class WrongUse extends Error {
  override readonly name = "WrongUse";
}
