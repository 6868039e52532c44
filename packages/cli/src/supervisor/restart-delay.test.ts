import { expect, test } from "bun:test";
import { restartDelay } from "./restart-delay";

test("a process is started again at once, and later and later if it keeps ending, up to 5 s", () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 1000].map(restartDelay)).toEqual([0, 250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
});
