import type { WebhookKind } from "@holdfast/api/resources/webhook-words";
import { describeEvent } from "./describe-event";
import type { Described } from "./message-texts";
import type { Payload } from "./payload";

/** The body of a request, and its headers but for signatures. */
export interface WrittenMessage {
  headers: Record<string, string>;
  body: string;
}

export interface MessageContext {
  /** Number of alike events that it stands for. */
  count: number;
  baseUrl: string;
  webhookName: string;
  /** The zone of the person who gets it; UTC if it goes to several. */
  timeZone?: string;
}

const ntfyPriorities: Readonly<Record<Described["weight"], string>> = {
  bad: "4",
  worrying: "3",
  good: "3",
  plain: "2",
};
const ntfyTags: Readonly<Record<Described["weight"], string>> = {
  bad: "rotating_light",
  worrying: "warning",
  good: "white_check_mark",
  plain: "information_source",
};
/** So many bytes are 60 characters of base64, with which an encoded word is shorter than 75 characters. */
const bytesPerWord = 45;

/** Writes a message as its receiver expects it. */
export function writeMessage(
  kind: Exclude<WebhookKind, "mail">,
  payload: Payload,
  context: MessageContext,
): WrittenMessage {
  switch (kind) {
    case "standard":
      return writeStandard(payload, context.baseUrl);
    case "slack":
      return writeSlack(describeEvent(payload, context));
    case "ntfy":
      return writeNtfy(describeEvent(payload, context));
  }
}

/** Mail for a person. */
export function writeMail(payload: Payload, context: MessageContext): { subject: string; text: string } {
  const { title, lines, link } = describeEvent(payload, context);
  const why = `You get this mail because the webhook "${context.webhookName}" names you. Those who manage webhooks can change that.`;
  return { subject: title, text: `${title}.\n\n${lines.join("\n")}\n\n${link}\n\n${why}\n` };
}

function writeStandard({ type, timestamp, data }: Payload, baseUrl: string): WrittenMessage {
  const body = JSON.stringify({ type, timestamp, data: { ...data, base_url: baseUrl } });
  return { headers: { "Content-Type": "application/json" }, body };
}

function writeSlack({ title, lines, link }: Described): WrittenMessage {
  const text = [`*${plainForChat(title)}*`, ...lines.map(plainForChat), link].join("\n");
  return { headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text }) };
}

/** Foreign text in a chat: nothing in it is a link, and it calls for no one. Slack mentions in `<>`, others with a plain @. */
function plainForChat(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/@(?=(all|channel|everyone|here)\b)/gi, "@\u200b");
}

function writeNtfy({ title, lines, link, weight }: Described): WrittenMessage {
  return {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      Title: headerText(title),
      Priority: ntfyPriorities[weight],
      Tags: ntfyTags[weight],
      Click: link,
    },
    body: lines.join("\n"),
  };
}

/** A text as a header can have it: other than plain ASCII as encoded words (RFC 2047), which ntfy reads. */
export function headerText(text: string): string {
  if (/^[ -~]*$/.test(text) && !text.includes("=?")) return text;
  const words: string[] = [];
  let word = "";
  for (const character of text) {
    if (Buffer.byteLength(word + character) > bytesPerWord) {
      words.push(word);
      word = "";
    }
    word += character;
  }
  return [...words, word].map((one) => `=?UTF-8?B?${Buffer.from(one).toString("base64")}?=`).join(" ");
}
