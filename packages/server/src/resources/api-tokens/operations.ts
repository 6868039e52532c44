import { apiTokenFilters, apiTokenSorts } from "@holdfast/api/resources/api-tokens";
import type { ChangeImplementation } from "../../operations/change";
import { type Implementation, implementList, implementRead, type Renderers } from "../../operations/reading";
import { createApiToken, revokeApiToken, rotateApiToken, updateApiToken } from "./change-tokens";
import { type ApiTokenRow, apiTokenSource } from "./list-tokens";
import { presentApiTokenV1 } from "./present";

const renderers: Renderers<ApiTokenRow> = { 1: (row) => JSON.stringify(presentApiTokenV1(row)) };

export const apiTokenReadings: Record<string, Implementation> = {
  "list-api-tokens": implementList(apiTokenSource, apiTokenFilters, renderers, apiTokenSorts),
  "read-api-token": implementRead(
    "api_token_id",
    ({ db }, scope, id) => apiTokenSource.find(db, scope, id),
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
