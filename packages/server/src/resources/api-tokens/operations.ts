import { apiTokenFilters, apiTokenSorts } from "@holdfast/api/resources/api-tokens";
import type { ChangeImplementation } from "../../operations/change";
import { type Implementation, implementList, implementRead, type Renderers } from "../../operations/reading";
import { createApiToken, revokeApiToken, rotateApiToken, updateApiToken } from "./change-tokens";
import { type ApiTokenRow, apiTokenSource, findToken } from "./list-tokens";
import { presentApiTokenV1 } from "./present";

const renderers: Renderers<ApiTokenRow> = { 1: (row) => JSON.stringify(presentApiTokenV1(row)) };

function listAsOf(now: number) {
  return implementList(apiTokenSource(now), apiTokenFilters, renderers, { sorts: apiTokenSorts });
}

export const apiTokenReadings: Record<string, Implementation> = {
  "list-api-tokens": {
    parse: listAsOf(0).parse,
    async read(call, query, signal) {
      const page = await listAsOf(call.parts.clock()).read(call, query, signal);
      // A rotated token ends by the clock, without a commit: such an answer is not remembered.
      const isLasting = query.filter.every(({ field }) => field !== "is_revoked");
      return { ...page, isCurrent: page.isCurrent && isLasting };
    },
  } satisfies ReturnType<typeof listAsOf>,
  "read-api-token": implementRead(
    "api_token_id",
    ({ db }, scope, id) => findToken(db, scope, id),
    "API token",
    renderers,
  ),
};

export const apiTokenChanges: Record<string, ChangeImplementation> = {
  "create-api-token": createApiToken,
  "update-api-token": updateApiToken,
  "rotate-api-token": rotateApiToken,
  "revoke-api-token": revokeApiToken,
};
