import { type MoveOptions, moveDatabase } from "@holdfast/server/database/move/move-database";
import { Command } from "commander";
import { formatTable, printResult } from "../output";
import { createProgressBar } from "../progress-bar";
import { settingsOf } from "../settings-options";

export function moveCommand(): Command {
  const command = new Command("move")
    .description("Copy everything into an empty database of another kind, and check that it arrived.")
    .requiredOption("--from <url>", "The database that the service has used: sqlite:<path> or postgres://…")
    .requiredOption("--to <url>", "An empty database, or a file that is not there yet. Written in the same way.")
    .addHelpText(
      "after",
      `
Stop the service first. The database that is moved from is only read. When the command was interrupted, run it again: it
goes on where it was. Until it has ended well, nothing else opens the database that is moved into.
Others on the machine can read a command's flags: put the password into ~/.pgpass or into PGPASSWORD instead.

Examples:
  $ holdfast database move --from sqlite:/var/lib/holdfast/holdfast.db --to postgres://holdfast@db.example.org/holdfast
  $ holdfast database move --from postgres://holdfast@db.example.org/holdfast --to sqlite:/var/lib/holdfast/holdfast.db`,
    )
    .action(async ({ from, to }: { from: string; to: string }) => {
      // A file that is made here is for its owner alone.
      process.umask(0o077);
      const tables = await move({ from, to, settings: settingsOf(command, process.env) });
      printResult(
        formatTable(
          [
            { title: "TABLE", text: ({ table }) => table },
            { title: "ROWS", text: ({ rows }) => String(rows) },
            { title: "SHA-256", text: ({ checksum }) => checksum },
          ],
          tables,
        ),
      );
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      process.stderr.write(
        `Moved ${rows} rows. Both databases hold the same. Next, set HOLDFAST_DATABASE_URL to the new address, keep the\n` +
          "same secret, and start the service. Put the old database aside until you are sure.\n",
      );
    });
  return command;
}

async function move(what: Pick<MoveOptions, "from" | "to" | "settings">) {
  const bar = createProgressBar({ label: "Copying", total: 0, stream: process.stderr });
  const stop = () => {
    bar.done();
    process.stderr.write("holdfast: The move was interrupted. Run the same command again to go on with it.\n");
    process.exit(1);
  };
  const tell = (news: string) => {
    bar.done();
    process.stderr.write(`${news}\n`);
  };
  // At any moment: what is not committed is copied again.
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.once(signal, stop);
  try {
    return await moveDatabase({ ...what, tell, progress: bar });
  } finally {
    for (const signal of signals) process.off(signal, stop);
    bar.done();
  }
}
