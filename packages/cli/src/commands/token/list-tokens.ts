import type { Client, ItemOf } from "@holdfast/client";
import type { Command } from "commander";
import { parseChoice, parseWords } from "../../grammar/argument-parsers";
import { unitColumn } from "../../grammar/common-columns";
import { type ListFlags, listVerb, pageSize, type RowContext, type TableNames } from "../../grammar/list-verb";
import { minute } from "../../output/moments";
import type { Column } from "../../output/table";
import type { Tone } from "../../terminal/colours";
import { visible } from "../../terminal/visible";

export type ApiToken = ItemOf<"api-tokens", "read-api-token">;

/**
 * A personal token is asleep while its user may not come in: disabled, or without any role. One that was rotated is ending
 * for as long as it is still good. An invalid one was issued for an address that the service no longer has.
 */
type TokenState = "active" | "asleep" | "ending" | "expired" | "invalid" | "revoked";

type ListedToken = ApiToken & { role: string | null; state: TokenState };

const sorts = ["name", "expires_timestamp", "-name", "-expires_timestamp"] as const;

interface TokenFlags extends ListFlags {
  kind?: string[];
  sort?: (typeof sorts)[number];
  active?: true;
}

/** Lists tokens. */
export function listTokens(): Command {
  return listVerb<ApiToken, TokenFlags, ListedToken>({
    description: "List tokens, newest first. What could be used as one is never shown.",
    usualLimit: "all",
    searches: "their names",
    addOptions: (command) =>
      command
        .option("--kind <kinds>", "Only these kinds: service, personal.", parseWords(["service", "personal"]))
        .option("--active", "Leave out those that are revoked.")
        .option("--sort <field>", "name or expires_timestamp, with - before it for downwards.", parseChoice(sorts)),
    examples: [
      "holdfast token",
      "holdfast token list --kind service --sort expires_timestamp",
      "holdfast token list -o csv",
    ],
    list: (client, flags) =>
      client.apiTokens.list({
        limit: pageSize(flags, "all"),
        sort: flags.sort,
        filter: {
          ...(flags.search === undefined ? {} : { name: { $contains: flags.search } }),
          ...(flags.kind === undefined ? {} : { kind: { $in: flags.kind } }),
          ...(flags.active ? { is_revoked: false } : {}),
        },
      }),
    rows: withStates,
    shape: (names) => ({ id: ({ id }) => id, columns: columns(names) }),
  });
}

async function withStates(tokens: ApiToken[], { client, format, names, remarks }: RowContext): Promise<ListedToken[]> {
  const { roles, units, users } = names;
  const asleep = new Set<string>();
  const owners = [...new Set(tokens.flatMap(({ user_id }) => user_id ?? []))];
  await Promise.all([
    roles.load(tokens.map(({ role_id }) => role_id)),
    findAsleep(client, owners, asleep),
    format === "table" && units.load(tokens.map((token) => token.organizational_unit_id)),
    format === "table" && users.load(tokens.map(({ created_by }) => created_by)),
  ]);
  const now = Date.now();
  return tokens.map((token) => {
    const state = stateOf(token, asleep, now);
    if (state === "invalid") remarks.add(adviseAbout(token.base_url ?? ""));
    return { ...token, role: token.role_id === null ? null : roles.of(token.role_id), state };
  });
}

function adviseAbout(address: string): string {
  return `Tokens marked invalid were issued for ${visible(address)}, which is no address of the service any more. If it was one before, name it in the setting base_url_aliases; else create new tokens and revoke these.`;
}

/** State of one token. */
export async function readState(token: ApiToken, client: Client): Promise<TokenState> {
  const asleep = new Set<string>();
  await findAsleep(client, token.user_id === null ? [] : [token.user_id], asleep);
  return stateOf(token, asleep, Date.now());
}

/** Finds out which users may not come in now, as far as the caller may see them. */
async function findAsleep(client: Client, ids: readonly string[], asleep: Set<string>): Promise<void> {
  const mostAtOnce = 200;
  for (let at = 0; at < ids.length; at += mostAtOnce) {
    const users = client.users.list({ filter: { id: { $in: ids.slice(at, at + mostAtOnce) } }, limit: mostAtOnce });
    try {
      for await (const user of users) {
        if (!user.is_enabled || user.access_control_configuration.length === 0) asleep.add(user.id);
      }
    } catch {
      // Who may not read users sees the states of tokens without them.
      return;
    }
  }
}

function stateOf(token: ApiToken, asleep: ReadonlySet<string>, now: number): TokenState {
  const { revoked_timestamp: revoked, expires_timestamp: expires, user_id } = token;
  if (revoked !== null && Date.parse(revoked) <= now) return "revoked";
  if (Date.parse(expires) <= now) return "expired";
  if (token.is_foreign) return "invalid";
  if (user_id !== null && asleep.has(user_id)) return "asleep";
  return revoked === null ? "active" : "ending";
}

export const tokenTones: Record<TokenState, Tone | undefined> = {
  active: "good",
  ending: "warning",
  asleep: "warning",
  invalid: "bad",
  expired: "quiet",
  revoked: "quiet",
};

function columns({ units, users }: TableNames): Column<ListedToken>[] {
  const moment = (name: "created_timestamp" | "expires_timestamp" | "last_used_timestamp", title: string) => ({
    name,
    title,
    isExtra: true as const,
    value: (token: ListedToken) => token[name] ?? "",
    text: (token: ListedToken) => minute(token[name]),
  });
  return [
    { name: "name", title: "NAME", value: (token) => token.name, canShrink: true },
    { name: "kind", title: "KIND", value: (token) => token.kind },
    unitColumn(units),
    {
      name: "created_by",
      isExtra: true,
      title: "CREATOR",
      value: (token) => token.created_by ?? "",
      text: (token) => users.of(token.created_by),
      canShrink: true,
    },
    moment("created_timestamp", "CREATED (UTC)"),
    moment("expires_timestamp", "EXPIRES"),
    moment("last_used_timestamp", "LAST USED"),
    { name: "state", title: "STATE", value: (token) => token.state, tone: (token) => tokenTones[token.state] },
    { name: "id", title: "ID", value: (token) => token.id },
    { name: "base_url", title: "", value: (token) => token.base_url ?? "", isHidden: true },
    { name: "role", title: "", value: (token) => token.role ?? "", isHidden: true },
    { name: "user_id", title: "", value: (token) => token.user_id ?? "", isHidden: true },
  ];
}
