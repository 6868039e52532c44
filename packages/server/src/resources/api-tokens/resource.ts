import { apiTokenFilters, apiTokenSorts, apiTokens } from "@holdfast/api/resources/api-tokens";
import { implementRead } from "../../operations/item-read";
import { type Call, type Implementation, implementList, type Renderers } from "../../operations/read";
import type { ResourceDescription } from "../resource-description";
import { createApiToken, revokeApiToken, rotateApiToken, updateApiToken } from "./change-tokens";
import { type ApiTokenRow, apiTokenSource, findToken } from "./list-tokens";
import { presentApiTokenV1 } from "./present";
import { renewApiToken } from "./renew-token";
import { tokensInUnits } from "./tokens-in-units";

const renderersFor = ({ parts }: Call): Renderers<ApiTokenRow> => ({
  1: (row) => JSON.stringify(presentApiTokenV1(row, parts)),
});
const listOf = (call: Call, now: number) =>
  implementList(apiTokenSource(now), apiTokenFilters, renderersFor(call), { sorts: apiTokenSorts });
const readOf = (call: Call) =>
  implementRead("api_token_id", ({ db }, scope, id) => findToken(db, scope, id), "API token", renderersFor(call));

const list = {
  parse: (call) => listOf(call, 0).parse(call),
  async read(call, query, signal) {
    const page = await listOf(call, call.parts.clock()).read(call, query, signal);
    // A rotated token ends by the clock, without a commit: such an answer is not remembered.
    const isLasting = query.filter.every(({ field }) => field !== "is_revoked");
    return isLasting ? page : { ...page, isVolatile: true };
  },
} satisfies ReturnType<typeof listOf>;

const reading: Implementation = {
  parse: (call) => readOf(call).parse(call),
  read: (call, query, signal) => readOf(call).read(call, query, signal),
};

/** Tokens of people and of services. */
export const apiTokenResource = {
  declaration: apiTokens,
  reads: () => ({ "list-api-tokens": list, "read-api-token": reading }),
  changes: {
    "create-api-token": createApiToken,
    "update-api-token": updateApiToken,
    "rotate-api-token": rotateApiToken,
    "renew-api-token": renewApiToken,
    "revoke-api-token": revokeApiToken,
  },
  domain: "any",
  tables: {
    api_tokens: {
      move: { key: ["id"], numberedBy: "seq" },
      domain: { name: "access", uncounted: ["last_used_at", "last_used_address", "last_used_client"] },
      grows: true,
      inUnit: tokensInUnits,
    },
  },
} satisfies ResourceDescription<typeof apiTokens>;
