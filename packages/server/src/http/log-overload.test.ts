import { expect, test } from "bun:test";
import { until } from "../../test/until";
import type { LogFields } from "../telemetry/log";
import { aboveShare, overloaded } from "./admission";
import { logOverload } from "./log-overload";

test("R14: refusals of an overload are logged together, by their reason", async () => {
  const lines: LogFields[] = [];
  const note = logOverload({ warn: (_, fields = {}) => void lines.push(fields) }, 20);
  for (let count = 0; count < 1_000; count++) note(overloaded);
  note(aboveShare);
  expect(lines).toEqual([]);
  await until("they are logged", () => lines.length === 2);
  note(overloaded);
  await until("the next is logged", () => lines.length === 3);
  expect(lines).toEqual([{ refused: 1_000 }, { refused: 1 }, { refused: 1 }]);
});
