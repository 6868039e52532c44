import { afterAll, expect, test } from "bun:test";
import { createHmac, randomBytes, randomInt, randomUUID } from "node:crypto";
import { rotateSigningKey } from "../../src/access/tokens/signing-keys";
import { openPlane } from "../harness";
import { tokenPattern } from "../token-pattern";

const plane = await openPlane();
afterAll(plane.close);

test("T24: the published pattern finds every one of 1,000 tokens, whole, wherever it stands", async () => {
  const userId = await plane.addUser({ roles: [{ role: "owner" }] });
  const tokens: string[] = [];
  for (let round = 0; round < 500; round++) {
    tokens.push((await plane.serviceToken("viewer")).token, (await plane.personalToken(userId)).token);
    const { database, controlPlane, clock } = plane;
    const isTimeToRotate = round % 50 === 49;
    await Promise.all(
      isTimeToRotate ? [database.change((db) => rotateSigningKey(db, controlPlane.sealer, clock.now))] : [],
    );
  }
  const leaked = tokens.map((token) => `export TOKEN="${token}"; curl -H 'Authorization: Bearer x'\n`).join("");
  expect([...leaked.matchAll(new RegExp(tokenPattern, "g"))].map(([found]) => found)).toEqual(tokens);
}, 120_000);

test("T24: the published pattern finds none of 10,000 tokens of others", () => {
  const headers = [
    { alg: "HS256", typ: "JWT" },
    { alg: "RS256", typ: "JWT", kid: randomUUID() },
    { alg: "EdDSA", typ: "JWT", kid: "hf-1" },
    { alg: "EdDSA", typ: "at+jwt", kid: randomUUID() },
    { typ: "at+jwt", alg: "EdDSA", kid: "hf-AAAAAAAAAAAA" },
    { alg: "ES256", typ: "at+jwt", kid: "hf-AAAAAAAAAAAA" },
  ];
  const foreign = Array.from({ length: 10_000 }, (_, at) => {
    const header = Buffer.from(JSON.stringify(headers[at % headers.length])).toString("base64url");
    const payload = Buffer.from(JSON.stringify({ sub: randomUUID(), exp: randomInt(2 ** 31) })).toString("base64url");
    return `${header}.${payload}.${createHmac("sha512", randomBytes(8)).update(payload).digest("base64url")}`;
  });
  expect(foreign.filter((token) => new RegExp(tokenPattern).test(token))).toEqual([]);
});

test("T24: nothing that a caller sends as a secret comes back or is logged", async () => {
  const { token } = await plane.serviceToken("viewer");
  const [, payload = "", signature = ""] = token.split(".");
  const broken = `${token.slice(0, -4)}AAAA`;
  const answers = [
    await plane.ask("/tasks", { token: broken }),
    await plane.ask(`/tasks?token=${token}`, { token }),
    await plane.ask(`/tasks?${token}=1`),
    await plane.ask("/tasks", { headers: { authorization: `Basic ${token}` } }),
    await plane.ask("/tasks", { headers: { authorization: token } }),
    await plane.ask("/tasks", { headers: { authorization: `Bearer ${token}, Bearer ${token}` } }),
    await plane.ask("/tasks", { method: "DELETE", token }),
    await plane.ask("/nowhere", { token }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 400, 401, 401, 401, 400, 405, 404]);
  plane.service.log.flush();
  const told = [...answers.map(({ text, headers }) => `${text}${JSON.stringify([...headers])}`), ...plane.logged].join(
    "\n",
  );
  expect(told).toContain('"operation":"list-tasks"');
  expect(told).not.toContain(payload);
  expect(told).not.toContain(signature.slice(0, -4));
});
