import type { FactNames } from "../../grammar/show-verb";
import { type Fact, moment, some } from "../../output/facts";
import { type ApiToken, readState, tokenTones } from "./token-state";

/** Facts about a token, the most important first. */
export async function tokenFacts(token: ApiToken, names: FactNames): Promise<Fact[]> {
  const state = await readState(token, names.client);
  const { user_id: user, role_id: role, created_by: creator } = token;
  return [
    ["Token", token.name],
    ["State", state, tokenTones[state]],
    ["Kind", token.kind],
    ...some("Acts as", user === null ? undefined : await names.user(user)),
    ...some("Role", role === null ? undefined : await names.role(role)),
    ["Unit", await names.unit(token.organizational_unit_id)],
    ["Expires", moment(token.expires_timestamp)],
    ...some("Revoked", moment(token.revoked_timestamp)),
    ["Last used", moment(token.last_used_timestamp) ?? "never"],
    ...some("From", token.last_used_address),
    ...some("With", token.last_used_client),
    ...some("Created by", creator === null ? undefined : await names.user(creator)),
    ["Created", moment(token.created_timestamp)],
    ["Id", token.id],
  ];
}
