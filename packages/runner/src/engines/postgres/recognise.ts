import { hasOption, optionValue, type ParsedArguments, parseArguments } from "../arguments";
import type { Environment, Invocation, Recognition } from "../engine";

const valued = {
  long: new Set(
    `dbname host port username role file format jobs schema exclude-schema table exclude-table exclude-table-data encoding
     compress lock-wait-timeout section snapshot extension superuser function index trigger use-list pgdata
     tablespace-mapping waldir wal-method checkpoint label max-rate slot status-interval target globals database
     exclude-database restrict-key`.split(/\s+/),
  ),
  short: "dhpUf",
};

/** The same letters mean other things: `-c` and `-C` are flags of pg_dump, `-r` is one of pg_dumpall. */
const lettersOf: Readonly<Record<string, string>> = {
  pg_dump: "dhpUfFjnNtTEZSe",
  pg_dumpall: "dhpUfElS",
  pg_restore: "dhpUfFjnNtPLIST",
  pg_basebackup: "DFrTXZcldhpsUSt",
};

export function parsePostgres({ program, args }: Invocation): ParsedArguments {
  return parseArguments(args, { ...valued, short: lettersOf[program] ?? valued.short });
}

export function recognise(invocation: Invocation): Recognition {
  const { program, environment, host } = invocation;
  const parsed = parsePostgres(invocation);
  const operand = program === "pg_dump" ? parsed.operands[0]?.value : undefined;
  const target = parseConnection(operand ?? optionValue(parsed, "-d", "--dbname") ?? "");
  const server = optionValue(parsed, "-h", "--host") || target.host || environment.PGHOST || "";
  // A socket's folder is this host.
  const place = server === "" || server.startsWith("/") ? host : server;
  const isWhole = program === "pg_basebackup" || program === "pg_dumpall";
  const database = isWhole ? "cluster" : target.database || defaultDatabase(parsed, environment);
  return {
    category: program === "pg_restore" ? "restore" : "backup",
    type: program,
    entity: { type: "database", value: `${database}@${place}` },
    command: program,
    stdoutIsData: isDataOnStdout(program, parsed),
    politeSignal: "SIGINT",
  };
}

function defaultDatabase(parsed: ParsedArguments, environment: Environment): string {
  return environment.PGDATABASE || optionValue(parsed, "-U", "--username") || environment.PGUSER || "default";
}

function isDataOnStdout(program: string, parsed: ParsedArguments): boolean {
  const file = optionValue(parsed, "-f", "--file");
  if (program === "pg_basebackup") return optionValue(parsed, "-D", "--pgdata") === "-";
  if (program === "pg_restore") return file === "-" || (file === undefined && !hasOption(parsed, "-d", "--dbname"));
  return file === undefined;
}

/** A name, a URL, or `key=value` pairs. */
function parseConnection(text: string): { database?: string; host?: string } {
  const url = text.match(/^postgres(?:ql)?:\/\/(?:[^@/]*@)?([^:/?,]*)[^/?]*(?:\/([^?]*))?/);
  if (url) return { ...named("host", url[1]), ...named("database", url[2]) };
  if (!text.includes("=")) return named("database", text);
  const value = (key: string) => text.match(new RegExp(`(?:^|\\s)${key}\\s*=\\s*'?([^\\s']+)`))?.[1];
  return { ...named("host", value("host")), ...named("database", value("dbname")) };
}

function named<Key extends string>(key: Key, value: string | undefined): Partial<Record<Key, string>> {
  const record: Partial<Record<Key, string>> = {};
  if (value) record[key] = value;
  return record;
}
