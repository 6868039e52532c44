import { apiTokenFilters, apiTokenSorts } from "@holdfast/api/resources/api-tokens";
import type { ChangeImplementation } from "../../operations/change";
import { implementRead } from "../../operations/item-reading";
import { type Call, type Implementation, implementList, type Renderers } from "../../operations/reading";
import { createApiToken, revokeApiToken, rotateApiToken, updateApiToken } from "./change-tokens";
import { type ApiTokenRow, apiTokenSource, findToken } from "./list-tokens";
import { presentApiTokenV1 } from "./present";
import { renewApiToken } from "./renew-token";

const renderersFor = ({ parts }: Call): Renderers<ApiTokenRow> => ({
  1: (row) => JSON.stringify(presentApiTokenV1(row, parts)),
});
const listOf = (call: Call, now: number) =>
  implementList(apiTokenSource(now), apiTokenFilters, renderersFor(call), { sorts: apiTokenSorts });
const readingOf = (call: Call) =>
  implementRead("api_token_id", ({ db }, scope, id) => findToken(db, scope, id), "API token", renderersFor(call));

export const apiTokenReadings: Record<string, Implementation> = {
  "list-api-tokens": {
    parse: (call) => listOf(call, 0).parse(call),
    async read(call, query, signal) {
      const page = await listOf(call, call.parts.clock()).read(call, query, signal);
      // A rotated token ends by the clock, without a commit: such an answer is not remembered.
      const isLasting = query.filter.every(({ field }) => field !== "is_revoked");
      return isLasting ? page : { ...page, isVolatile: true };
    },
  } satisfies ReturnType<typeof listOf>,
  "read-api-token": {
    parse: (call) => readingOf(call).parse(call),
    read: (call, query, signal) => readingOf(call).read(call, query, signal),
  },
};

export const apiTokenChanges: Record<string, ChangeImplementation> = {
  "create-api-token": createApiToken,
  "update-api-token": updateApiToken,
  "rotate-api-token": rotateApiToken,
  "renew-api-token": renewApiToken,
  "revoke-api-token": revokeApiToken,
};
