import { expect, test } from "bun:test";
import { startInVain, startProcess } from "../process";

test("R25: a port that is taken is refused with one sentence, and never shared", async () => {
  const first = await startProcess();
  const second = await startInVain({ flags: { port: String(first.port) } });
  expect(second).toEqual({
    exitCode: 1,
    output: "",
    errors: `holdfast: Port ${first.port} of 127.0.0.1 is in use. Stop what listens there, or choose another one with --port.\n`,
  });
  expect((await first.ask("/readyz")).status).toBe(200);
  await first.stop();
});
