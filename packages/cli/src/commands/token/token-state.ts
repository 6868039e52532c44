import type { Client, ItemOf } from "@holdfast/client";
import type { RowContext } from "../../grammar/list-verb";
import type { Tone } from "../../terminal/colours";
import { visible } from "../../terminal/visible";

/**
 * A personal token is asleep while its user may not come in: disabled, or without any role. One that was rotated is ending
 * for as long as it is still good. An invalid one was issued for an address that the service no longer has.
 */
type TokenState = "active" | "asleep" | "ending" | "expired" | "invalid" | "revoked";

/** A token, in lists with its state and its role by name. */
export type ApiToken = ItemOf<"api-tokens", "read-api-token"> & { role?: string | null; state?: TokenState };

/** Adds the state and the name of the role to the tokens of a page. */
export async function withStates(
  tokens: ApiToken[],
  { client, format, names, remarks }: RowContext,
): Promise<ApiToken[]> {
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
  const maxBatchSize = 200;
  for (let at = 0; at < ids.length; at += maxBatchSize) {
    const users = client.users.list({ filter: { id: { $in: ids.slice(at, at + maxBatchSize) } }, limit: maxBatchSize });
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
