/** Something that cannot be done as asked. The message is for the person who asked and says what to do. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}
