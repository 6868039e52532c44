import { once } from "node:events";

/** Prints a command's result on standard output, where nothing else is ever written. Waits for a slow reader. */
export async function writeResult(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

/** Prints one line of a result. */
export function writeLine(line: string): Promise<void> {
  return writeResult(`${line}\n`);
}

/** Says something to the person: never data. */
export function explain(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
