import { goToCallersFolder } from "./callers-folder";

goToCallersFolder();
const [name, ...args] = process.argv.slice(2);

// A backup waits for this one, so nothing else is loaded. Nor is process.stdout touched: that would make it non-blocking.
if (name === "run") import("@holdfast/runner/run").then(async ({ run }) => process.exit(await run(args, process.env)));
else if (name === "--version" || name === "-V")
  import("@holdfast/server/settings/version").then(({ version }) => process.stdout.write(`${version}\n`));
else runCommand();

async function runCommand(): Promise<void> {
  const { runCommandLine } = await import("./command-line");
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader of the result may have seen enough of it, as head has after ten lines.
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`holdfast: The result could not be written (${error.code}). Make room where it goes to.\n`);
    process.exit(1);
  });
  process.exitCode = await runCommandLine(process.argv.slice(2));
}
