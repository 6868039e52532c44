import { version } from "@holdfast/server/settings/version";
import { Command, CommanderError } from "commander";
import { auditCommand } from "./commands/audit";
import { databaseCommand } from "./commands/database";
import { demoCommand } from "./commands/demo";
import { keyCommand } from "./commands/key";
import { ouCommand } from "./commands/ou";
import { serveCommand } from "./commands/serve";
import { taskCommand } from "./commands/task";
import { tokenCommand } from "./commands/token";
import { userCommand } from "./commands/user";
import { describeFailure } from "./report-failure";
import { refusePasswords } from "./settings-options";
import { type Patience, usualPatience } from "./supervisor/patience";
import { WrongUse } from "./wrong-use";

/** Runs the command that the arguments name and gives the exit code. */
export async function runCommandLine(args: readonly string[], patience: Patience = usualPatience): Promise<number> {
  try {
    await buildProgram(patience).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    // Help and the version were asked for and shown.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { line, exitCode } = describeFailure(error);
    process.stderr.write(`${line}\n`);
    return exitCode;
  }
}

/** The whole command line. */
export function buildProgram(patience: Patience): Command {
  const program = new Command("holdfast")
    .description("A self-hosted control plane for data protection.")
    .version(version, "-V, --version", "Show the version.")
    .addHelpText(
      "after",
      `
In the folder of the checkout, write npx holdfast for holdfast. Anywhere else, call node_modules/.bin/holdfast of the
checkout by its path: npx would ask the public registry for a package that is not ours. Start here:
  $ holdfast serve
  $ holdfast demo
  $ TOKEN=$(holdfast token create --kind service --name first --role owner)
  $ curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8080/tasks

Every command works on the data that the service uses (data_dir or database_url), whether or not the service runs. Only
serve, demo and what creates or imports make new data where there is none.
Results go to standard output and everything else to standard error. The exit code is 0 for success, 1 for what failed
and 2 for wrong use.`,
    );
  for (const command of [
    serveCommand(patience),
    tokenCommand(),
    userCommand(),
    ouCommand(),
    keyCommand(),
    taskCommand(),
    auditCommand(),
    databaseCommand(),
    demoCommand(),
  ]) {
    program.addCommand(command);
  }
  throwInsteadOfExiting(program);
  program.hook("preAction", (_, command) => refusePasswords(command));
  return program;
}

/** Commander would print its complaint and end the process; here every complaint is one line, printed in one place. */
function throwInsteadOfExiting(command: Command): void {
  command
    .helpOption("-h, --help", "Show this help.")
    .helpCommand("help [command]", "Show the help of a command.")
    .configureOutput({ writeErr: () => {} });
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : wrongUse(command, error);
  });
  for (const subcommand of command.commands) throwInsteadOfExiting(subcommand);
}

function wrongUse(command: Command, error: CommanderError): WrongUse {
  const path = pathOf(command);
  const complaint =
    error.code === "commander.help"
      ? `Name a command after ${path}: ${command.commands.map((subcommand) => subcommand.name()).join(", ")}.`
      : sentence(error.message.replace(/^error: /, ""));
  return new WrongUse(`${complaint} See: ${path} --help`);
}

function sentence(text: string): string {
  const [first = "", ...rest] = text
    .replace(/\n\((.*)\)$/, ". $1")
    .replaceAll("\n", " ")
    .trim();
  const whole = first.toUpperCase() + rest.join("");
  return /[.?]$/.test(whole) ? whole : `${whole}.`;
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
