import { readFileSync } from "node:fs";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import type { Client } from "@holdfast/client";
import { Command, InvalidArgumentError } from "commander";
import { withConnection } from "../connection/with-connection";
import { taking } from "../grammar/argument-parsers";
import { addConnectionOptions, addUnitOption } from "../grammar/connection-options";
import { addExamples } from "../grammar/noun";
import { UsageError } from "../grammar/usage-error";
import { findUnitId } from "../lookups/units";
import { writeLine, writeResult } from "../output/write";
import { visibleJson, visibleLines } from "../terminal/visible";

const methods = ["get", "post", "patch", "delete"] as const;

type Method = (typeof methods)[number];

interface ApiFlags {
  query: [string, string][];
  header: [string, string][];
  body?: string;
  unit?: string;
}

/** Sends any request, and prints the answer. */
export function apiCommand(): Command {
  const command = new Command("api")
    .description("Send a request to any path of the API, and print its answer.")
    .argument("<method>", "GET, POST, PATCH or DELETE.", taking(methods, parseMethod))
    .argument("<path>", "The path, such as /tasks; holdfast discover lists them.", parsePath)
    .option("--query <name=value>", "A parameter. Can be given several times.", collectPairs("="), [])
    .option("--header <name:value>", "A header. Can be given several times.", collectPairs(":"), [])
    .option("--body <json>", "The body, as JSON; @file reads it from a file, @- from standard input.");
  addUnitOption(command, "The organizational unit to act in. (default: that of the token)");
  addExamples(command, [
    "holdfast api GET /tasks --query limit=5",
    `holdfast api GET /tasks --query 'filter={"status":"failed"}' | jq '._embedded.items[].id'`,
    `holdfast api POST /organizational-units --body '{"name":"Berlin"}'`,
  ]);
  command.action((method: Method, path: string, { query, header, body, unit }: ApiFlags) =>
    withConnection(command, async ({ client }) => {
      const search = query.length === 0 ? "" : `${path.includes("?") ? "&" : "?"}${new URLSearchParams(query)}`;
      const headers = { ...(await unitHeader(client, unit)), ...Object.fromEntries(header) };
      const sent = body === undefined ? {} : { body: await readBody(body) };
      const { text } = await client.request(`${path}${search}`, { method, headers, ...sent });
      await print(text);
    }),
  );
  return addConnectionOptions(command);
}

function parseMethod(text: string): Method {
  const method = methods.find((one) => one === text.toLowerCase());
  if (!method) throw new InvalidArgumentError("Write GET, POST, PATCH or DELETE.");
  return method;
}

/** Only a path: the token is sent to no other address. */
function parsePath(text: string): string {
  if (/^[a-z]+:/i.test(text)) throw new InvalidArgumentError("Write a path such as /tasks, without the address.");
  return text.startsWith("/") ? text : `/${text}`;
}

function collectPairs(separator: string): (text: string, before: [string, string][]) => [string, string][] {
  return (text, before) => {
    const at = text.indexOf(separator);
    if (at < 1) throw new InvalidArgumentError(`Write a name, ${separator} and a value.`);
    return [...before, [text.slice(0, at).trim(), text.slice(at + 1).trim()]];
  };
}

async function readBody(given: string): Promise<unknown> {
  const text = given.startsWith("@") ? await readSource(given.slice(1)) : given;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError("The body is not JSON. Write one JSON object, or @ and the name of a file with one.");
  }
}

async function readSource(path: string): Promise<string> {
  try {
    if (path !== "-") return readFileSync(path, "utf8");
    let text = "";
    for await (const chunk of process.stdin) text += String(chunk);
    return text;
  } catch (error) {
    throw new UsageError(`The file ${path} cannot be read (${errorMessage(error)}). Name another one.`);
  }
}

/** The header that names the unit to act in has the name of the vendor in it, which discovery says. */
async function unitHeader(client: Client, unit: string | undefined): Promise<Record<string, string>> {
  if (unit === undefined) return {};
  const { response } = await client.request("/", { headers: { Accept: "*/*" } });
  const [, vendor = ""] = /^application\/api\.([a-z0-9]+)\./i.exec(response.headers.get("content-type") ?? "") ?? [];
  return { [`x-${vendor}-organizationalunit-context`]: await findUnitId(client, unit) };
}

async function print(text: string): Promise<void> {
  if (text === "") return;
  try {
    await writeLine(visibleJson(JSON.stringify(JSON.parse(text), null, 2)));
  } catch {
    await writeResult(process.stdout.isTTY ? visibleLines(text) : text);
  }
}
