import { expect, test } from "bun:test";
import { createSilentStream } from "../engines/plain-reader";
import { createMasker } from "../secrets";
import { createLogBuffer } from "./log-buffer";
import { startRelay } from "./relay";

const secret = "hunter2-long-secret";

test("everything is passed on, and masked only in the log", async () => {
  const passed: string[] = [];
  const log = createLogBuffer(() => createMasker([secret]));
  async function* bytes() {
    for (const text of [`a ${secret.slice(0, 5)}`, `${secret.slice(5)} b`]) yield new TextEncoder().encode(text);
  }
  const relay = startRelay(
    { bytes: bytes(), hasMore: () => false },
    {
      reader: createSilentStream(),
      async passthrough(piece) {
        passed.push(new TextDecoder().decode(piece));
        return true;
      },
      log: { add: (text) => log.add("stdout", text), end: () => log.end("stdout") },
      onProgress: () => {},
      onOutput: () => {},
    },
  );
  await relay.ended;
  expect([passed.join(""), relay.bytesRead()]).toEqual([`a ${secret} b`, 4 + secret.length]);
  expect(log.take()).toEqual([{ offset: 0, text: "a *** b" }]);
});
