import { expect, test } from "bun:test";
import { DatabaseUnavailable } from "../errors";
import { withTimeout } from "./with-timeout";

test("an answer that comes in time is given, and so is a failure", async () => {
  expect(await withTimeout(Promise.resolve("well"), 30)).toBe("well");
  await expect(withTimeout(Promise.reject(new Error("broken")), 30)).rejects.toThrow("broken");
});

test("an answer that does not come is given up when the timeout is over, and not before", async () => {
  const startedAt = performance.now();
  const waiting = withTimeout(new Promise(() => {}), 90);
  await expect(waiting).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(performance.now() - startedAt).toBeGreaterThan(85);
});

test("what this process sleeps through does not count against the database", async () => {
  const late = Promise.withResolvers<string>();
  const waiting = withTimeout(late.promise, 90);
  // Nothing can be read meanwhile, however early it came.
  Bun.sleepSync(200);
  setTimeout(() => late.resolve("well"), 20);
  expect(await waiting).toBe("well");
});

test("without a limit an answer is waited for", async () => {
  const answer = new Promise((resolve) => setTimeout(resolve, 30, "well"));
  expect(await withTimeout(answer, Number.POSITIVE_INFINITY)).toBe("well");
});
