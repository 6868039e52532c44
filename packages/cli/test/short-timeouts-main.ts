import { readFileSync } from "node:fs";
import { goToCallersFolder } from "../src/callers-folder";
import { runCommandLine } from "../src/command-line";
import { defaultTimeouts, type Timeouts } from "../src/supervisor/timeouts";

goToCallersFolder();

/** The command line with the timeouts that a test sets, so that it need not wait as long as the real one does. */
const { countsByWallClock, clockFile, ...given } = JSON.parse(process.env.TEST_TIMEOUTS ?? "{}");
if (clockFile !== undefined) stepClock(clockFile);
// A service that counts leases by the wall clock is what tests of its steps have to find out.
const clock = countsByWallClock ? { monotonic: () => Date.now() } : {};
const timeouts: Timeouts = { ...defaultTimeouts, ...given, ...clock };
runCommandLine(process.argv.slice(2), timeouts).then((exitCode) => {
  process.exitCode = exitCode;
});

/** Lets the wall clock be wrong by as many milliseconds as a file says, which a test changes; the monotonic one goes on. */
function stepClock(file: string): void {
  const right = Date.now;
  let readAt = Number.NEGATIVE_INFINITY;
  let wrongBy = 0;
  Date.now = () => {
    const now = performance.now();
    if (now - readAt > 10) {
      wrongBy = Number(readFileSync(file, "utf8"));
      readAt = now;
    }
    return right() + wrongBy;
  };
}
