import { hasOption, optionValue, parseArguments, savesNothing, type ValuedOptions } from "../arguments";
import type { Invocation, Recognition } from "../engine";
import { nameOperation } from "../operation";
import { databaseItem, listedIn, targetFolder } from "../places";

const mysql: ValuedOptions = {
  long: new Set(
    `host port socket user protocol result-file tab ignore-table where defaults-file defaults-extra-file
     defaults-group-suffix login-path default-character-set max-allowed-packet plugin-dir ssl-ca
     ssl-cert ssl-key ssl-mode set-gtid-purged net-buffer-length compatible init-command`.split(/\s+/),
  ),
  short: "hPSurTw",
  // A password in the next argument would be the name of a database.
  attached: "p#",
};

const mongo: ValuedOptions = {
  long: new Set(
    `uri host port username password authenticationDatabase authenticationMechanism db collection query queryFile out
     numParallelCollections sslCAFile sslPEMKeyFile sslPEMKeyPassword
     awsSessionToken config excludeCollection readPreference`.split(/\s+/),
  ),
  short: "hupdcqo",
};

/** Programs without progress and without exit codes of their own, of which only the database is read. */
const readers: Readonly<Record<string, (invocation: Invocation) => Omit<Recognition, "category" | "type">>> = {
  mysqldump: readMysql,
  "mariadb-dump": readMysql,
  mongodump: readMongo,
};

/** Recognises the programs that save a database and are no engines. */
export function recogniseDump(invocation: Invocation): Recognition | undefined {
  const read = Object.hasOwn(readers, invocation.program) ? readers[invocation.program] : undefined;
  const isWork = !savesNothing(parseArguments(invocation.args, mysql), "-?", "-V");
  return read && { category: isWork ? "backup" : "system", type: typeOf(invocation), ...read(invocation) };
}

function typeOf({ program }: Invocation): string {
  return program.replaceAll("-", "_");
}

function readMysql(invocation: Invocation): Omit<Recognition, "category" | "type"> {
  const parsed = parseArguments(invocation.args, mysql);
  const [first, ...others] = parsed.operands.map(({ value }) => value);
  const isWhole = hasOption(parsed, "-A", "--all-databases") || first === undefined;
  const isSeveral = hasOption(parsed, "-B", "--databases");
  const database = isWhole ? "all" : first;
  const server = optionValue(parsed, "-h", "--host") ?? "";
  const socket = optionValue(parsed, "-S", "--socket") ?? "";
  const port = optionValue(parsed, "-P", "--port") ?? "";
  const place = [database, server && `@${server}`, socket && `@${socket}`, port && `:${port}`].join("");
  const file = optionValue(parsed, "-r", "--result-file");
  const folder = optionValue(parsed, "-T", "--tab");
  return {
    entity: databaseItem(database, server, invocation.host),
    operation: nameOperation(typeOf(invocation), {
      sources: [
        place,
        ...(isWhole ? [] : others.map((name) => (isSeveral ? name : `${database}.${name}`))),
        ...listedIn(parsed.options.get("--defaults-file"), invocation),
      ],
      repository: targetFolder(file ?? (folder && `${folder}/x`), invocation),
    }),
    stdoutIsData: file === undefined && folder === undefined,
    politeSignal: "SIGTERM",
  };
}

function readMongo(invocation: Invocation): Omit<Recognition, "category" | "type"> {
  const parsed = parseArguments(invocation.args, mongo);
  const [, address = "", path = ""] =
    /^mongodb(?:\+srv)?:\/\/(?:[^?]*@)?([^/?]*)(?:\/([^?]*))?/.exec(optionValue(parsed, "--uri") ?? "") ?? [];
  const given = optionValue(parsed, "-h", "--host") || address;
  const port = optionValue(parsed, "--port") ?? "";
  const database = optionValue(parsed, "-d", "--db") || path || "all";
  const collection = optionValue(parsed, "-c", "--collection");
  const server = given.replace(/:\d+$/, "");
  const archive = optionValue(parsed, "--archive");
  const folder = optionValue(parsed, "-o", "--out");
  return {
    entity: databaseItem(database, server, invocation.host),
    operation: nameOperation(typeOf(invocation), {
      sources: [
        [database, given && `@${given}`, port && `:${port}`].join(""),
        ...(collection ? [`${database}.${collection}`] : []),
      ],
      repository: targetFolder(archive || (folder && `${folder}/x`), invocation),
    }),
    stdoutIsData: archive === "" || folder === "-",
    politeSignal: "SIGTERM",
  };
}
