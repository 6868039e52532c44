import { hasOption, optionValue, type ParsedArguments, parseArguments, savesNothing } from "../arguments";
import type { Environment, Invocation, Recognition } from "../engine";
import { nameOperation } from "../operation";
import { databaseItem, targetFolder } from "../places";

const valued = {
  long: new Set(
    `dbname host port username role file format jobs schema exclude-schema table exclude-table exclude-table-data encoding
     compress lock-wait-timeout section snapshot extension superuser function index trigger use-list pgdata
     tablespace-mapping waldir wal-method checkpoint label max-rate slot status-interval target globals database
     exclude-database restrict-key`.split(/\s+/),
  ),
  short: "dhpUf",
};

/** Letters with other meanings: `-c` and `-C` are flags of pg_dump, `-r` is one of pg_dumpall. */
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
  const port = optionValue(parsed, "-p", "--port") || target.port || environment.PGPORT || defaultPort;
  const isWhole = program === "pg_basebackup" || program === "pg_dumpall";
  const database = isWhole ? "cluster" : target.database || defaultDatabase(parsed, environment);
  const file = optionValue(parsed, ...(program === "pg_basebackup" ? ["-D", "--pgdata"] : ["-f", "--file"]));
  // Servers on one host differ in their ports and sockets.
  const place = [database, server && `@${server}`, port !== defaultPort && `:${port}`].filter(Boolean).join("");
  return {
    category: savesNothing(parsed, "-?", "-V") ? "system" : program === "pg_restore" ? "restore" : "backup",
    type: program,
    entity: databaseItem(database, server, host),
    operation: nameOperation(program, {
      sources: [place, ...(program === "pg_basebackup" ? [] : partsOf(parsed, database))],
      repository: program === "pg_restore" ? undefined : targetFolder(file, invocation),
    }),
    command: program,
    stdoutIsData: isDataOnStdout(program, parsed),
    politeSignal: "SIGINT",
  };
}

const defaultPort = "5432";

/** Parts that are saved alone, which is another operation than saving everything: schemas, tables, definitions without data. */
function partsOf(parsed: ParsedArguments, database: string): string[] {
  const names = ["-n", "--schema", "-t", "--table"];
  const parts = parsed.given.filter(({ name, value }) => names.includes(name) && value !== "");
  const kinds = [
    hasOption(parsed, "-s", "--schema-only") && "schema only",
    hasOption(parsed, "-a", "--data-only") && "data only",
    hasOption(parsed, "-g", "--globals-only") && "globals only",
  ].filter((kind) => kind !== false);
  return [...parts.map(({ value }) => `${database}.${value}`), ...kinds];
}

function defaultDatabase(parsed: ParsedArguments, environment: Environment): string {
  const { PGDATABASE, PGSERVICE, PGUSER } = environment;
  return PGDATABASE || PGSERVICE || optionValue(parsed, "-U", "--username") || PGUSER || "default";
}

function isDataOnStdout(program: string, parsed: ParsedArguments): boolean {
  const file = optionValue(parsed, "-f", "--file");
  if (program === "pg_basebackup") return optionValue(parsed, "-D", "--pgdata") === "-";
  if (program === "pg_restore") return file === "-" || (file === undefined && !hasOption(parsed, "-d", "--dbname"));
  return file === undefined;
}

/** A name, a URL, or `key=value` pairs. Only what names the database is read, never a password. */
function parseConnection(text: string): { database?: string; host?: string; port?: string } {
  const url = text.match(
    /^postgres(?:ql)?:\/\/(?:[^?]*@)?(\[[^\]]*\]|[^:/?,]*)(?::(\d+))?[^/?]*(?:\/([^?]*))?(?:\?(.*))?$/s,
  );
  if (url) {
    const query = new URLSearchParams(url[4] ?? "");
    return {
      ...named("host", url[1] || query.get("host")),
      ...named("port", url[2] || query.get("port")),
      ...named("database", url[3] || query.get("dbname")),
    };
  }
  if (!text.includes("=")) return named("database", text);
  const value = (key: string) => text.match(new RegExp(`(?:^|\\s)${key}\\s*=\\s*'?([^\\s']+)`))?.[1];
  return {
    ...named("host", value("host") ?? value("hostaddr")),
    ...named("port", value("port")),
    ...named("database", value("dbname") ?? value("service")),
  };
}

function named<Key extends string>(key: Key, value: string | null | undefined): Partial<Record<Key, string>> {
  const record: Partial<Record<Key, string>> = {};
  if (value) record[key] = value;
  return record;
}
