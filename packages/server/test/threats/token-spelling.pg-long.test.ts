import { afterAll, expect, test } from "bun:test";
import { revokeToken } from "../../src/resources/api-tokens/store";
import { openPlane } from "../harness";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const plane = await openPlane();
afterAll(plane.close);

/** Other ways to write a token; a lenient reader takes many of them for the same one. */
function respell(token: string): string[] {
  const [header = "", payload = "", signature = ""] = token.split(".");
  return [
    ...[...alphabet].flatMap((last) => [
      `${header}.${payload}.${signature.slice(0, -1)}${last}`,
      `${header}.${payload.slice(0, -1)}${last}.${signature}`,
      `${header.slice(0, -1)}${last}.${payload}.${signature}`,
    ]),
    `${token}=`,
    `${token}==`,
    `${token}.`,
    `.${token}`,
    `${token}\t`,
    `${token}%20`,
    `${token}\u00a0`,
    `${header}=.${payload}.${signature}`,
    `${header}.${payload}==.${signature}`,
    `${header} .${payload}.${signature}`,
    token.toLowerCase(),
    token.toUpperCase(),
    token.replaceAll("-", "+").replaceAll("_", "/").concat("="),
    `"${token}"`,
    `Bearer ${token}`,
  ].filter((spelling) => spelling.trim() !== token);
}

test("T5: a token has exactly one spelling that is accepted", async () => {
  const { token } = await plane.serviceToken("viewer");
  const spellings = respell(token);
  const statuses = await Promise.all(
    spellings.map(async (spelling) => (await plane.ask("/tasks", { token: spelling })).status),
  );
  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(spellings.length).toBeGreaterThan(190);
  expect((await plane.ask("/tasks", { token })).status).toBe(200);
});

test("T5: no spelling of a revoked token is accepted", async () => {
  const { id, token } = await plane.serviceToken("viewer");
  expect((await plane.ask("/tasks", { token })).status).toBe(200);
  await plane.database.change((db) => revokeToken(db, id, plane.clock.now));
  const spellings = [token, ` ${token}`, `${token} `, ...respell(token)];
  const statuses = await Promise.all(
    spellings.map(async (spelling) => (await plane.ask("/tasks", { token: spelling })).status),
  );
  expect(new Set(statuses)).toEqual(new Set([401]));
});
