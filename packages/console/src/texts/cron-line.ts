type Schedule = { cron: string; time_zone: string } | { period_seconds: number } | null;

const hint = "# A cron that does not read CRON_TZ (man 5 crontab) uses the clock of the host.";
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Lines of a crontab that run a command when its monitor expects it, by the clock of the monitor's zone, and report its exit status: a
 * job that fails reports that, too. For a period, the line runs at least that often.
 */
export function cronLines(schedule: Schedule, command: string, url: string): string {
  const zone = schedule !== null && "cron" in schedule ? `${hint}\nCRON_TZ=${schedule.time_zone}\n` : "";
  // A % would end the line.
  const job = `${command}; curl -fsS -m 10 --retry 5 -o /dev/null ${url}/$?`.replaceAll("%", "\\%");
  return `${zone}${expressionOf(schedule)}  ${job}`;
}

function expressionOf(schedule: Schedule): string {
  if (schedule === null) return "@daily";
  if ("cron" in schedule) return schedule.cron;
  const { period_seconds: period } = schedule;
  if (period >= 7 * day) return "@weekly";
  if (period >= day) return "@daily";
  if (period >= hour) return `0 ${everyDivisor(24, Math.floor(period / hour))} * * *`;
  return `${everyDivisor(60, Math.max(1, Math.floor(period / minute)))} * * * *`;
}

/** A step in a field: the largest step up to a number that a day or an hour can be divided into. */
function everyDivisor(whole: number, max: number): string {
  let step = max;
  while (whole % step !== 0) step -= 1;
  return step === 1 ? "*" : `*/${step}`;
}
