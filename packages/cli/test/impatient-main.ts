import { runCommandLine } from "../src/command-line";
import { type Patience, usualPatience } from "../src/supervisor/patience";

/** The command line with the patience that a test sets, so that it need not wait as long as the real one does. */
const patience: Patience = { ...usualPatience, ...JSON.parse(process.env.TEST_PATIENCE ?? "{}") };
process.exitCode = await runCommandLine(process.argv.slice(2), patience);
