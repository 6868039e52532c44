import { afterAll, beforeAll, expect, test } from "bun:test";
import { schedulePreview } from "@holdfast/api/resources/schedule-preview";
import { openPlane, type Plane, root } from "../harness";

let plane: Plane;
let viewer: string;
beforeAll(async () => {
  plane = await openPlane();
  viewer = (await plane.serviceToken("viewer", root, 400 * 86_400_000)).token;
});
afterAll(() => plane.close());

const preview = (query: Record<string, string>, token = viewer) =>
  plane.ask(`/schedule-preview?${new URLSearchParams(query)}`, { token });

test("the next five runs, in the zone and in UTC, with the change of the clock", async () => {
  plane.clock.now = Date.parse("2027-03-26T12:00:00Z");
  const { status, body } = await preview({ cron: "30 2 * * *", time_zone: "Europe/Berlin" });
  expect([status, schedulePreview.parse(body)]).toEqual([200, body]);
  expect(body).toMatchObject({
    cron: "30 2 * * *",
    time_zone: "Europe/Berlin",
    runs: [
      { timestamp: "2027-03-27T01:30:00.000Z", local: "2027-03-27T02:30:00+01:00", clock_change: null },
      { timestamp: "2027-03-28T01:00:00.000Z", local: "2027-03-28T03:00:00+02:00", clock_change: "forward" },
      { timestamp: "2027-03-29T00:30:00.000Z", local: "2027-03-29T02:30:00+02:00", clock_change: null },
      { timestamp: "2027-03-30T00:30:00.000Z", local: "2027-03-30T02:30:00+02:00", clock_change: null },
      { timestamp: "2027-03-31T00:30:00.000Z", local: "2027-03-31T02:30:00+02:00", clock_change: null },
    ],
  });
  const again = await plane.ask(body._links.self.href, { token: viewer });
  expect(again.body).toEqual(body);
});

test("it is not remembered: the next five runs are those after now", async () => {
  const first = async (time: string) => {
    plane.clock.now = Date.parse(time);
    return (await preview({ cron: "0 * * * *", time_zone: "Asia/Kolkata" })).body.runs[0];
  };
  const runs = [await first("2027-03-26T12:00:00Z"), await first("2027-03-26T13:00:00Z")];
  expect(runs).toEqual([
    { timestamp: "2027-03-26T12:30:00.000Z", local: "2027-03-26T18:00:00+05:30", clock_change: null },
    { timestamp: "2027-03-26T13:30:00.000Z", local: "2027-03-26T19:00:00+05:30", clock_change: null },
  ]);
});

test("without a time zone it shows the runs in UTC", async () => {
  plane.clock.now = Date.parse("2027-01-01T12:00:00Z");
  const { status, body } = await preview({ cron: "0 0 * * *" });
  expect([status, body.time_zone, body.runs[0].local]).toEqual([200, "UTC", "2027-01-02T00:00:00+00:00"]);
});

const emptyCron = "The cron expression is empty. Give five fields: minute, hour, day of month, month, day of week.";

test.each([
  [{ cron: "@daily" }, "cron", "@daily is not supported. Write 0 0 * * * instead."],
  [{ cron: "" }, "cron", emptyCron],
  [{}, "cron", emptyCron],
  [{ time_zone: "Europe/Berlin" }, "cron", emptyCron],
  [{ cron: "0 0 31 2 *" }, "cron", "No year has such a date: none of these months has such a day."],
  [
    { cron: "0 0 * * *", time_zone: "Mars/Olympus" },
    "time_zone",
    'There is no time zone "Mars/Olympus". Give a name of the IANA database, such as Europe/Berlin.',
  ],
])("%j is refused with the reason", async (query, field, message) => {
  const { status, body } = await preview(query);
  expect([status, body]).toEqual([400, { errors: [{ error_code: 40003, error_message: message, field }] }]);
});

test("a role without monitors:read may not see it", async () => {
  const { token } = await plane.serviceToken("reporter", root, 400 * 86_400_000);
  expect((await preview({ cron: "0 0 * * *" }, token)).status).toBe(403);
});
