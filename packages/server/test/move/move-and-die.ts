/** Moves a database and kills itself on the way: bun move-and-die.ts FROM TO STEPS MILLISECONDS */
import { moveDatabase } from "../../src/database/move/move-database";
import { tables } from "../../src/resources/index";
import { readSettings } from "../../src/settings/settings";

const [from = "", to = "", steps = "", delay = ""] = process.argv.slice(2);
let left = Number(steps);

function step(): void {
  left -= 1;
  if (left === 0) setTimeout(() => process.kill(process.pid, "SIGKILL"), Number(delay));
}

await moveDatabase({
  from,
  to,
  plan: tables,
  settings: readSettings({ flags: {}, environment: {}, file: null }),
  prepareRecord: () => async () => {},
  tell: () => {},
  progress: { advance: step, show: step },
});
