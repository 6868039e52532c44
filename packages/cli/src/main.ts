#!/usr/bin/env -S bun --config=/dev/null --no-env-file
import { runCommandLine } from "./command-line";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // Whoever reads the result may have seen enough of it, as head has after ten lines.
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`holdfast: The result could not be written (${error.code}). Make room where it goes to.\n`);
  process.exit(1);
});
runCommandLine(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
