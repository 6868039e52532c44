import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { visible } from "./visible";

/** Asks for a line on a terminal. What is typed is not shown where it is a secret. */
export async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  // Echoed input goes to a stream that is silent while a secret is typed.
  let isSilent = false;
  const output = new Writable({
    write(chunk, _, done) {
      if (!isSilent) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("SIGINT", () => reject(new Interrupted()));
      lines.once("close", () => reject(new Interrupted()));
      lines.question(`${visible(question)} `, resolve);
      isSilent = isSecret;
    });
  } finally {
    lines.close();
    if (isSecret) process.stderr.write("\n");
  }
}

/** Asks whether to do something. Only "y" and "yes" do. */
export async function confirm(question: string): Promise<boolean> {
  return ["y", "yes"].includes((await ask(`${question} [y/N]`)).trim().toLowerCase());
}

/** The person has ended the command instead of answering. */
class Interrupted extends Error {
  override readonly name = "Interrupted";
  constructor() {
    super("Interrupted.");
  }
}
