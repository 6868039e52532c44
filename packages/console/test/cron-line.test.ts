import { expect, test } from "bun:test";
import { cronLines } from "../src/texts/cron-line";

const ping = "curl -fsS -m 10 --retry 5 -o /dev/null https://holdfast.example.org/ping/abc/$?";
const linesOf = (schedule: Parameters<typeof cronLines>[0]) =>
  cronLines(schedule, "backup.sh", "https://holdfast.example.org/ping/abc");

test("a crontab runs at the times that the monitor expects, in its zone, and reports failures, too", () => {
  expect(linesOf({ cron: "15 4 * * 1-5", time_zone: "Asia/Tokyo" })).toBe(
    `# A cron that does not read CRON_TZ (man 5 crontab) uses the clock of the host.\nCRON_TZ=Asia/Tokyo\n15 4 * * 1-5  backup.sh; ${ping}`,
  );
});

test("a crontab runs at least as often as a period says", () => {
  const periods = [60, 300, 420, 1800, 3600, 7 * 3600, 43_200, 86_400, 100_000, 604_800, 2_592_000];
  expect(periods.map((period_seconds) => linesOf({ period_seconds }).split("  ")[0])).toEqual([
    "* * * * *",
    "*/5 * * * *",
    "*/6 * * * *",
    "*/30 * * * *",
    "0 * * * *",
    "0 */6 * * *",
    "0 */12 * * *",
    "@daily",
    "@daily",
    "@weekly",
    "@weekly",
  ]);
  expect(linesOf(null)).toBe(`@daily  backup.sh; ${ping}`);
});

test("a percent sign does not end the line", () => {
  expect(cronLines(null, "backup --name=%d", "u")).toStartWith("@daily  backup --name=\\%d;");
});
