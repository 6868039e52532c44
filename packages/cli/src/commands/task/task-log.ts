import type { Client } from "@holdfast/client";
import { writeResult } from "../../output/write";
import { visibleLines } from "../../terminal/visible";

const finished = ["completed", "failed", "aborted"];
const lookEvery = 1_000;
const pieceBytes = 262_144;

/**
 * Prints the log of a task, and goes on until the task has ended where it is to be followed. On a terminal, control
 * characters of the engine are shown; anywhere else the log comes as it is.
 */
export async function printLog(
  client: Client,
  id: string,
  { follow = false, tail }: { follow?: boolean | undefined; tail?: number | undefined },
): Promise<void> {
  const show = process.stdout.isTTY ? visibleLines : (text: string) => text;
  let from: { offset: number } | { tail: number } = tail === undefined ? { offset: 0 } : { tail };
  let endsLine = true;
  for (;;) {
    // Looked at first: what is logged before the end is there when the end is.
    const hasEnded = !follow || finished.includes((await client.tasks.read(id)).status);
    let isMore = true;
    while (isMore) {
      const piece = await client.tasks.readLog(id, "tail" in from ? from : { limit: pieceBytes, ...from });
      const { dropped, text } = piece;
      if (dropped) {
        await writeResult(`${endsLine ? "" : "\n"}[${dropped.to - dropped.from} bytes are missing here]\n`);
        endsLine = true;
      }
      if (text !== "") {
        await writeResult(show(text));
        endsLine = text.endsWith("\n");
      }
      isMore = piece.next_offset < piece.size;
      from = { offset: piece.next_offset };
    }
    if (hasEnded) break;
    await new Promise((resolve) => setTimeout(resolve, lookEvery));
  }
  if (!endsLine) await writeResult("\n");
}
