import { runChecks } from "./checks/run-checks";

const { failed } = await runChecks((line) => process.stdout.write(`${line}\n`));
process.exitCode = failed.length === 0 ? 0 : 1;
