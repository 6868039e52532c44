import { isExecutable } from "@holdfast/server/settings/executable";
import { version } from "@holdfast/server/settings/version";
import { Command, CommanderError } from "commander";
import { nearest } from "./grammar/nearest";
import { pathOf } from "./grammar/noun";
import { refusePasswords } from "./grammar/settings-options";
import { UsageError } from "./grammar/usage-error";
import { type ImpliedShow, impliedShow, meantVerb, verbsOf } from "./grammar/verbs";
import { shortenEchoes } from "./output/shorten-echoes";
import { describeFailure } from "./report-failure";
import { defaultTimeouts, type Timeouts } from "./supervisor/timeouts";

/** Runs the command that the arguments name and gives the exit code. */
export async function runCommandLine(args: readonly string[], timeouts: Timeouts = defaultTimeouts): Promise<number> {
  return runProgram(buildProgram(timeouts, args[0]), args);
}

/** Runs a command of a program and gives the exit code. */
export async function runProgram(loading: Command | Promise<Command>, args: readonly string[]): Promise<number> {
  let implied: ImpliedShow | undefined;
  try {
    const program = await loading;
    const noun = program.commands.find((one) => [one.name(), ...one.aliases()].includes(args[0] ?? ""));
    implied = impliedShow(noun, args);
    await program.parseAsync(implied?.args ?? args, { from: "user" });
    return 0;
  } catch (error) {
    // Help and the version were asked for and shown.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { line, exitCode } = await describeFailure(error);
    const verbs = implied && exitCode === 1 ? ` (The verbs of ${implied.name} are ${implied.verbs.join(", ")}.)` : "";
    if (line !== "") process.stderr.write(`${shortenEchoes(line + verbs, args)}\n`);
    return exitCode;
  }
}

/** Loader of a command, and its aliases. */
interface Loading {
  load: (timeouts: Timeouts) => Promise<Command>;
  aliases?: readonly string[];
}

/** The commands, in the order in which they are shown. Each is loaded when it is needed: none waits for another. */
const commands: Record<string, Loading> = {
  status: { load: async () => (await import("./commands/status/status-command")).statusCommand() },
  task: { load: async () => (await import("./commands/task/task-command")).taskCommand(), aliases: ["tasks"] },
  monitor: {
    load: async () => (await import("./commands/monitor/monitor-command")).monitorCommand(),
    aliases: ["monitors"],
  },
  entity: {
    load: async () => (await import("./commands/entity/entity-command")).entityCommand(),
    aliases: ["entities"],
  },
  webhook: {
    load: async () => (await import("./commands/webhook/webhook-command")).webhookCommand(),
    aliases: ["webhooks"],
  },
  user: { load: async () => (await import("./commands/user/user-command")).userCommand(), aliases: ["users"] },
  role: { load: async () => (await import("./commands/role/role-command")).roleCommand(), aliases: ["roles"] },
  unit: {
    load: async () => (await import("./commands/unit/unit-command")).unitCommand(),
    aliases: ["units", "ou", "ous"],
  },
  token: { load: async () => (await import("./commands/token/token-command")).tokenCommand(), aliases: ["tokens"] },
  view: { load: async () => (await import("./commands/view/view-command")).viewCommand(), aliases: ["views"] },
  key: { load: async () => (await import("./commands/key/key-command")).keyCommand(), aliases: ["keys"] },
  audit: { load: async () => (await import("./commands/audit/audit-command")).auditCommand(), aliases: ["audits"] },
  login: { load: async () => (await import("./commands/profile/login")).loginCommand() },
  logout: { load: async () => (await import("./commands/profile/login")).logoutCommand() },
  whoami: { load: async () => (await import("./commands/profile/whoami")).whoamiCommand() },
  profiles: { load: async () => (await import("./commands/profile/profiles")).profilesCommand(), aliases: ["profile"] },
  api: { load: async () => (await import("./commands/api")).apiCommand() },
  discover: { load: async () => (await import("./commands/discover")).discoverCommand() },
  explain: { load: async () => (await import("./commands/explain")).explainCommand() },
  run: { load: async () => (await import("./commands/run")).runCommand() },
  health: { load: async () => (await import("./commands/health")).healthCommand() },
  spool: { load: async () => (await import("./commands/spool")).spoolCommand() },
  serve: { load: async (timeouts) => (await import("./commands/serve")).serveCommand(timeouts) },
  demo: { load: async () => (await import("./commands/demo")).demoCommand() },
  database: { load: async () => (await import("./commands/database")).databaseCommand() },
  completion: {
    load: async (timeouts) => {
      const { completionCommand } = await import("./commands/completion/completion-command");
      return completionCommand(() => buildProgram(timeouts));
    },
  },
  man: { load: async (timeouts) => (await import("./commands/man")).manCommand(() => buildProgram(timeouts)) },
};

/** The names of all commands and what else they are called, by name. */
export const commandNames: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(commands).map(([name, { aliases = [] }]) => [name, aliases]),
);

function findName(given: string): string | undefined {
  return [...commandNames].find(([name, aliases]) => name === given || aliases.includes(given))?.[0];
}

/** The command line: with one command where its name is given, else with all of them. */
export async function buildProgram(timeouts: Timeouts, only = ""): Promise<Command> {
  const named = findName(only);
  const known = named === undefined ? Object.keys(commands) : [named];
  const loaded: Command[] = [];
  for (const name of known) {
    const { load, aliases = [] } = commands[name] ?? {};
    const command = await load?.(timeouts);
    if (command) loaded.push(command.aliases(aliases));
  }
  return programOf(loaded);
}

/** The command line with these commands. */
export function programOf(loaded: readonly Command[]): Command {
  const program = new Command("holdfast")
    .description("A self-hosted control plane for data protection.")
    .version(version, "-V, --version", "Show the version.")
    .addHelpText("after", help);
  for (const command of loaded) program.addCommand(command);
  throwInsteadOfExiting(program);
  markRequired(program);
  program.hook("preAction", (_, command) => refusePasswords(command));
  return program;
}

const fromSource = `

In the folder of the checkout, write npx holdfast for holdfast. Anywhere else, call node_modules/.bin/holdfast of the
checkout by its path: npx would ask the public registry for a package that is not ours.`;

const help = `
Start here:
  $ holdfast login https://backup.example.org
  $ holdfast status
  $ holdfast task --status failed --since 24h

On the machine of the service:
  $ holdfast serve
  $ holdfast demo
  $ holdfast token create --local --kind service --name first --role owner | holdfast login

A noun without a verb lists, and with a name or an id alone it shows that one. Plurals are the same (tasks), and ou is unit. Commands ask the service of your profile, or the one
that HOLDFAST_URL and HOLDFAST_TOKEN name. With --local, or a setting such as --data-dir, they work on the data of this
machine, whether or not the service runs; so do serve, demo, database, key reseal, audit verify, audit export, task
import and task prune, always.
Results go to standard output and everything else to standard error. The exit code is 0 for success, 1 for what failed or
needs attention, 2 for wrong use and 3 where the service could not be asked.${isExecutable ? "" : fromSource}`;

/** Commander would print its complaint and end the process; here every complaint is one line, printed in one place. */
function throwInsteadOfExiting(command: Command): void {
  command.helpOption("-h, --help", "Show this help.").configureOutput({ writeErr: () => {} });
  if (command.commands.length > 0) command.helpCommand("help [command]", "Show the help of a command.");
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : usageError(command, error);
  });
  for (const subcommand of command.commands) throwInsteadOfExiting(subcommand);
}

/** Says of an option that a command needs it: help, the manual page, the reference and completion all show descriptions. */
function markRequired(command: Command): void {
  for (const option of command.options.filter(({ mandatory }) => mandatory)) option.description += " (required)";
  for (const subcommand of command.commands) markRequired(subcommand);
}

function usageError(command: Command, error: CommanderError): UsageError {
  const path = pathOf(command);
  if (error.code === "commander.help") {
    const names = command.commands.map((subcommand) => subcommand.name()).join(", ");
    return new UsageError(`Name a command after ${path}: ${names}. See: ${path} --help`);
  }
  return (
    misspelt(command, error) ?? new UsageError(`${sentence(error.message.replace(/^error: /, ""))} See: ${path} --help`)
  );
}

/** Names the command that was meant. Without a verb a noun is listed, so a wrong verb arrives there as an argument too many. */
function misspelt(command: Command, { code }: CommanderError): UsageError | undefined {
  const [word] = command.args;
  if (word === undefined || word.startsWith("-")) return undefined;
  if (command.name() === "list" && command.parent && afterWrongVerb.includes(code)) return noVerb(command.parent, word);
  if (code !== "commander.unknownCommand") return undefined;
  const near = nearest(word, verbsOf(command));
  const advice = near === undefined ? "" : ` Did you mean ${near}?`;
  return new UsageError(`Unknown command '${word}'.${advice} See: ${pathOf(command)} --help`);
}

const afterWrongVerb = ["commander.excessArguments", "commander.unknownOption"];

function noVerb(noun: Command, word: string): UsageError {
  const meant = meantVerb(noun, word);
  const advice = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return new UsageError(
    `${noun.name()} has no verb '${word}'.${advice} Its verbs are ${verbsOf(noun).join(", ")}. See: ${pathOf(noun)} --help`,
  );
}

function sentence(text: string): string {
  const [first = "", ...rest] = text
    .replace(/\n\((.*)\)$/, ". $1")
    .replaceAll("\n", " ")
    .trim();
  const whole = first.toUpperCase() + rest.join("");
  return /[.?]$/.test(whole) ? whole : `${whole}.`;
}
