import { expect, test } from "bun:test";
import { refuse } from "@holdfast/api/conventions/api-error";
import { tooLong } from "../lists/work";
import { createLog } from "../telemetry/log";
import { handleError } from "./handle-error";

/** The reply to an error, and what the log says of it. */
function handled(error: unknown) {
  const written: string[] = [];
  const output = { write: (text: string) => void written.push(text), isTerminal: false };
  const log = createLog({ level: "warn", output, clock: Date.now });
  const { status } = handleError(error, "the-request", log, () => {});
  log.flush();
  const lines = written.join("").split("\n").filter(Boolean);
  return { status, lines: lines.map((line) => JSON.parse(line)) };
}

test("T39: a list that took too long is in the log, with the id that finds its request", () => {
  expect(handled(tooLong())).toMatchObject({
    status: 503,
    lines: [{ level: "warn", message: expect.stringContaining("took too long"), request_id: "the-request" }],
  });
});

test("any other refusal is no more than the line of its request", () => {
  expect(handled(refuse("itemUnknown", "There is no such task."))).toEqual({ status: 404, lines: [] });
});
