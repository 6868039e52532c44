import { isExecutable } from "@holdfast/server/settings/executable";
import { version } from "@holdfast/server/settings/version";
import { Command, CommanderError } from "commander";
import { describeFailure } from "./report-failure";
import { refusePasswords } from "./settings-options";
import { type Patience, usualPatience } from "./supervisor/patience";
import { WrongUse } from "./wrong-use";

/** Runs the command that the arguments name and gives the exit code. */
export async function runCommandLine(args: readonly string[], patience: Patience = usualPatience): Promise<number> {
  try {
    const program = await buildProgram(patience, args[0]);
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    // Help and the version were asked for and shown.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { line, exitCode } = describeFailure(error);
    process.stderr.write(`${line}\n`);
    return exitCode;
  }
}

/** The commands, in the order in which they are shown. Each is loaded when it is needed: a service waits for no other. */
const commands: Record<string, (patience: Patience) => Promise<Command>> = {
  serve: async (patience) => (await import("./commands/serve")).serveCommand(patience),
  run: async () => (await import("./commands/run")).runCommand(),
  health: async () => (await import("./commands/health")).healthCommand(),
  spool: async () => (await import("./commands/spool")).spoolCommand(),
  token: async () => (await import("./commands/token")).tokenCommand(),
  user: async () => (await import("./commands/user")).userCommand(),
  ou: async () => (await import("./commands/ou")).ouCommand(),
  key: async () => (await import("./commands/key")).keyCommand(),
  task: async () => (await import("./commands/task")).taskCommand(),
  audit: async () => (await import("./commands/audit")).auditCommand(),
  database: async () => (await import("./commands/database")).databaseCommand(),
  demo: async () => (await import("./commands/demo")).demoCommand(),
};

const fromSource = `In the folder of the checkout, write npx holdfast for holdfast. Anywhere else, call node_modules/.bin/holdfast of the
checkout by its path: npx would ask the public registry for a package that is not ours. `;

/** The command line: with one command where its name is given, else with all of them. */
export async function buildProgram(patience: Patience, only = ""): Promise<Command> {
  const program = new Command("holdfast")
    .description("A self-hosted control plane for data protection.")
    .version(version, "-V, --version", "Show the version.")
    .addHelpText(
      "after",
      `
${isExecutable ? "" : fromSource}Start here:
  $ holdfast serve
  $ holdfast demo
  $ TOKEN=$(holdfast token create --kind service --name first --role owner)
  $ curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8080/tasks

Every command works on the data that the service uses (data_dir or database_url), whether or not the service runs. Only
serve, demo and what creates or imports make new data where there is none.
Results go to standard output and everything else to standard error. The exit code is 0 for success, 1 for what failed
and 2 for wrong use.`,
    );
  const known = Object.hasOwn(commands, only) ? [only] : Object.keys(commands);
  for (const name of known) {
    const command = await commands[name]?.(patience);
    if (command) program.addCommand(command);
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
