import { runCommandLine } from "../src/command-line";
import { type Patience, usualPatience } from "../src/supervisor/patience";

/** The command line with the patience that a test sets, so that it need not wait as long as the real one does. */
const { countsByWallClock, ...given } = JSON.parse(process.env.TEST_PATIENCE ?? "{}");
// A service that counts leases by the wall clock is what tests of its steps have to find out.
const clock = countsByWallClock ? { monotonic: Date.now } : {};
const patience: Patience = { ...usualPatience, ...given, ...clock };
process.exitCode = await runCommandLine(process.argv.slice(2), patience);
