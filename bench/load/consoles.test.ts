import { expect, test } from "bun:test";
import { overviewRequests, startOfDays } from "./consoles";

const noon = Date.parse("2026-11-18T12:00:00.000Z");

test.each([
  ["UTC", "2026-10-20T00:00:00.000Z"],
  // Its clocks were set back on 25 October.
  ["Europe/Berlin", "2026-10-19T22:00:00.000Z"],
  ["Asia/Kolkata", "2026-10-19T18:30:00.000Z"],
  ["America/New_York", "2026-10-20T04:00:00.000Z"],
])("30 days begin at midnight in %s", (zone, start) => {
  expect(new Date(startOfDays(zone, noon, 30)).toISOString()).toBe(start);
});

test("the overview asks for what its page shows, with the beginning of a day and of an hour", () => {
  const paths = overviewRequests({}, "UTC", noon + 1_234).map(({ path }) => decodeURIComponent(path));
  expect(paths.map((path) => path.split("?")[0])).toEqual([
    "/task-counts",
    "/task-counts",
    "/tasks",
    "/entity-counts",
    "/entities",
    "/monitors",
    "/api-tokens",
  ]);
  expect(paths[0]).toContain(
    'interval=hour&time_zone=UTC&limit=1000&filter={"created_timestamp":{"$gte":"2026-11-17T13:00',
  );
  expect(paths[2]).toContain('"$gte":"2026-11-17T12:00:00.000Z"');
});
