import { readFileSync } from "node:fs";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import {
  type ReminderInterval,
  reminderIntervals,
  type WebhookEvent,
  webhookEvents,
  webhookKinds,
} from "@holdfast/api/resources/webhook-words";
import type { BodyOf, Client, ItemOf } from "@holdfast/client";
import type { Command } from "commander";
import { parseChoice, parseName, parseWords } from "../../grammar/argument-parsers";
import { changeVerb } from "../../grammar/change-verb";
import { addUnitOption } from "../../grammar/connection-options";
import { WrongUse } from "../../grammar/wrong-use";
import { findUnitId } from "../../lookups/units";
import { findUserId } from "../../lookups/users";
import { findWebhookId, webhookArgument } from "../../lookups/webhooks";
import type { Webhook } from "./list-webhooks";

type WebhookBody = BodyOf<"webhooks", "update-webhook">;

interface WebhookFlags {
  name?: string;
  kind?: (typeof webhookKinds)[number];
  target?: string;
  events?: WebhookEvent[];
  filter?: NonNullable<WebhookBody["filter"]>;
  recipients?: string[];
  authorizationFile?: string;
  remindAfter?: ReminderInterval;
  unit?: string;
}

/** What people want to hear of first. */
const defaultEvents: WebhookEvent[] = ["monitor.down", "monitor.up", "task.failed", "task.lost", "entity.stale"];

function addWebhookOptions(command: Command): Command {
  return command
    .option("--target <url>", "Where to send to, https. (required by all kinds but mail)")
    .option("--events <list>", `What to send, of ${webhookEvents.join(", ")}.`, parseEvents)
    .option("--filter <json>", 'A filter of tasks, such as {"category":"backup"}.', parseFilter)
    .option(
      "--recipients <list>",
      "Users, by e-mail address or id, with commas. (required by mail, and only for it)",
      parseWords(),
    )
    .option(
      "--remind-after <interval>",
      `Remind of what stays down: ${reminderIntervals.join(", ")}. (default: daily, and never for standard)`,
      parseChoice(reminderIntervals),
    )
    .option("--authorization-file <file>", "A file with the value of the Authorization header, such as Bearer ….");
}

function parseEvents(text: string): WebhookEvent[] {
  const words = parseWords(webhookEvents)(text);
  return webhookEvents.filter((event) => words.includes(event));
}

function parseFilter(text: string): WebhookFlags["filter"] {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongUse('--filter has to be one JSON object, such as {"category":"backup"}.');
  }
}

/** What the flags say, as a body. */
async function bodyOf(client: Client, { target, ...flags }: WebhookFlags) {
  const { events, filter, recipients, authorizationFile, remindAfter } = flags;
  return {
    ...(target === undefined ? {} : { url: target }),
    ...(events === undefined ? {} : { events }),
    ...(filter === undefined ? {} : { filter }),
    ...(recipients === undefined ? {} : { recipient_user_ids: await findUsers(client, recipients) }),
    ...(remindAfter === undefined ? {} : { remind_after: remindAfter }),
    ...(authorizationFile === undefined ? {} : { authorization: readLine(authorizationFile) }),
  };
}

async function findUsers(client: Client, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push(await findUserId(client, name));
  return ids;
}

function readLine(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new WrongUse(`The file ${path} cannot be read (${errorMessage(error)}). Name another one.`);
  }
}

export function createWebhook(): Command {
  return changeVerb<ItemOf<"webhooks", "create-webhook">, WebhookFlags>({
    name: "create",
    description:
      "Create a webhook and print the secret that signs its messages, shown this once; other kinds print the id.",
    addOptions: (command) =>
      addUnitOption(
        addWebhookOptions(
          command
            .requiredOption("--name <name>", "Its name.", parseName)
            .requiredOption("--kind <kind>", `How to send: ${webhookKinds.join(", ")}.`, parseChoice(webhookKinds)),
        ),
        "It is notified of the tasks of this organizational unit and below. (default: that of the token)",
      ),
    examples: [
      "SECRET=$(holdfast webhook create --name failures --kind standard --target https://hooks.example.org/holdfast)",
      "holdfast webhook create --name chat --kind slack --target https://chat.example.org/hooks/abc --events task.failed",
      "holdfast webhook create --name on-call --kind mail --recipients ada@example.org --unit Berlin",
    ],
    help: `Without --events: ${defaultEvents.join(", ")}`,
    prints: "the secret, or the id",
    async change({ client }, _, { name = "", kind = "standard", unit, ...flags }) {
      const where = unit === undefined ? {} : { organizational_unit_id: await findUnitId(client, unit) };
      const body = { events: defaultEvents, ...(await bodyOf(client, flags)) };
      const item = await client.webhooks.create({ name, kind, ...where, ...body });
      return { item, result: item.secret ?? item.id };
    },
  });
}

export function updateWebhook(): Command {
  return changeVerb<Webhook, WebhookFlags>({
    name: "update",
    description: "Change a webhook.",
    argument: webhookArgument,
    addOptions: (command) => addWebhookOptions(command.option("--name <name>", "Its name.", parseName)),
    examples: ["holdfast webhook update failures --events task.failed,task.lost,monitor.down"],
    prints: "nothing",
    async change({ client }, given, flags) {
      const body = { ...(flags.name === undefined ? {} : { name: flags.name }), ...(await bodyOf(client, flags)) };
      if (Object.keys(body).length === 0)
        throw new WrongUse("Name what is to change. See: holdfast webhook update --help");
      return { item: await client.webhooks.update(await findWebhookId(client, given), body) };
    },
  });
}

export function enableWebhook(name: string, description: string, isEnabled: boolean): Command {
  return changeVerb<Webhook, object>({
    name,
    description,
    argument: webhookArgument,
    examples: [`holdfast webhook ${name} failures`],
    prints: "nothing",
    change: async ({ client }, given) => ({
      item: await client.webhooks.update(await findWebhookId(client, given), { is_enabled: isEnabled }),
    }),
  });
}
