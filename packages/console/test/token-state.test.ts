import { expect, test } from "bun:test";
import { tokenState } from "../src/data/tokens";

const day = 86_400_000;
const now = Date.parse("2026-11-15T12:00:00Z");
const inDays = (days: number) => new Date(now + days * day).toISOString();
const token = {
  id: "11111111-2222-4333-8444-555555555555",
  name: "web-01",
  kind: "service",
  organizational_unit_id: "00000000-0000-4000-8000-000000000000",
  user_id: null,
  role_id: null,
  created_by: null,
  created_timestamp: inDays(-30),
  expires_timestamp: inDays(60),
  revoked_timestamp: null,
  base_url: "https://old.test",
  is_foreign: false,
  last_used_timestamp: null,
  last_used_address: null,
  last_used_client: null,
  _links: { self: { href: "/api-tokens/1", templated: false, type: "get" } },
} as const;

test.each([
  ["Good", {}],
  ["Invalid", { is_foreign: true }],
  ["Expires soon", { expires_timestamp: inDays(13) }],
  ["Being replaced", { revoked_timestamp: inDays(1) }],
  ["Expired", { expires_timestamp: inDays(-1), is_foreign: true }],
  ["Revoked", { revoked_timestamp: inDays(-1), is_foreign: true }],
])("a token is shown as %s", (word, changed) => {
  expect<string>(tokenState({ ...token, ...changed }, now).word).toBe(word);
});
