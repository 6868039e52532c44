import { expect, test } from "bun:test";
import { anyPage } from "../rows/wishes";
import { requestsOf } from "./ours";
import type { Side } from "./side";

const requests = requestsOf({ Authorization: "Bearer x" });
const side = (tasks: number): Side => ({ name: "ours", url: "", pids: [], tasks, ...requests });
const meaning = (path: string) => Object.fromEntries(new URLSearchParams(path.split("?")[1]));

test("20,736 requests for the same filter are all spelt differently, and mean the same", () => {
  const paths = Array.from(
    { length: 20_736 },
    (_, spelling) => requests.list({ filter: { status: "failed" }, spelling }).path,
  );
  expect(new Set(paths).size).toBe(20_736);
  expect(new Set(paths.slice(-300).map((path) => JSON.stringify(meaning(path)))).size).toBe(1);
  expect(meaning(paths[20_735] ?? "")).toEqual({ limit: "100", start: "1", filter: '{"status":"failed"}' });
  expect(Math.max(...paths.map((path) => path.split("&").length))).toBeLessThan(50);
});

test("pages without a filter, which are large, are spelt in fewer ways", () => {
  const paths = Array.from({ length: 1728 }, (_, spelling) => requests.list({ spelling }).path);
  expect(new Set(paths).size).toBe(1728);
});

test("another page each time reaches all parts of a list, and no page beyond its end", () => {
  const starts = Array.from({ length: 2000 }, (_, n) => anyPage(side(1_000_000), n).start ?? 0);
  expect(new Set(starts).size).toBeGreaterThan(1900);
  expect(Math.min(...starts)).toBeWithin(1, 20);
  expect(Math.max(...starts)).toBeWithin(9980, 10_001);
});

test("where there are fewer pages than requests, the same page is spelt differently", () => {
  const paths = Array.from({ length: 1000 }, (_, n) => requests.list(anyPage(side(1_000), n)).path);
  expect(new Set(paths).size).toBe(1000);
});
