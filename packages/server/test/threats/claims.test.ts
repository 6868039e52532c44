import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { openPlane } from "../harness";
import { stealKey } from "./sign-token";

/** A claim as it stands in the token: its value is text, so that it can be anything. */
type Claim = [name: string, json: string];

/** A token's content before it is signed. */
interface Draft {
  typ: string;
  claims: Claim[];
  space: string;
}

const plane = await openPlane();
afterAll(plane.close);
const { id, token } = await plane.serviceToken("viewer");
const { kid, sign } = await stealKey(plane);
const now = plane.clock.now / 1000;
const year = 365 * 86_400;
const genuine: Claim[] = Object.entries(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())).map(
  ([name, value]) => [name, JSON.stringify(value)],
);
const names = ["iss", "aud", "sub", "jti", "iat", "nbf", "exp", "kind", "ou"];

async function write({ typ, claims, space }: Draft): Promise<string> {
  const payload = `{${claims.map(([name, json]) => `${JSON.stringify(name)}:${space}${json}`).join(",")}}`;
  return sign(JSON.stringify({ alg: "EdDSA", typ, kid }), payload);
}

/** True if a token is valid by the contract, given that was signed with the right key; it shares no code with the service. */
function isValid({ typ, claims, space }: Draft, length: number): boolean {
  const value = (name: string) => claims.find(([candidate]) => candidate === name)?.[1] ?? "";
  const seconds = (name: string) => (/^(0|[1-9][0-9]{0,15})$/.test(value(name)) ? Number(value(name)) : Number.NaN);
  const isUuid = (name: string) => /^"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"$/.test(value(name));
  return [
    length <= 4096,
    typ === "at+jwt",
    space === "",
    claims.map(([name]) => name).join() === names.join(),
    value("iss") === '"http://holdfast.test"',
    value("aud") === '"http://holdfast.test"',
    /^"[!#-[\]-~]+"$/.test(value("sub")),
    value("jti") === `"${id}"`,
    isUuid("ou"),
    ['"personal"', '"service"'].includes(value("kind")),
    seconds("exp") > now,
    seconds("nbf") <= now + 60,
    seconds("iat") <= now + 60,
    seconds("exp") - seconds("iat") <= 2 * year,
  ].every((holds) => holds);
}

const oddValues = [
  "null",
  "true",
  '""',
  '"x"',
  "[]",
  "{}",
  "1e400",
  "-1e400",
  "1e9",
  "1.5e9",
  "-1",
  "-0",
  "0",
  "1.5",
  `${now + 100}.0`,
  `${now + 100}.5`,
  `"${now + 100}"`,
  `0${now}`,
  "9007199254740991",
  "9007199254740992",
  '"http://holdfast.test/"',
  '"HTTP://holdfast.test"',
  '["http://holdfast.test"]',
  '"http:\\/\\/holdfast.test"',
  '"00000000-0000-0000-0000-000000000000"',
  `"${id.toUpperCase()}"`,
  '"personal"',
  '"admin"',
];
const moments = fc.oneof(
  fc.constantFrom(0, 1, -1, 59, 60, 61, 62, 2 * year - 1, 2 * year, 2 * year + 1, 3 * year),
  fc.integer({ min: -3 * year, max: 3 * year }),
);
const json = fc.oneof(
  fc.constantFrom(...oddValues),
  moments.map((offset) => String(now + offset)),
  fc.constantFrom(100, 2_000, 3_500, 6_000).map((length) => JSON.stringify("a".repeat(length))),
  fc.constantFrom(5, 500).map((depth) => "[".repeat(depth) + "]".repeat(depth)),
);
type Change = (draft: Draft) => Draft;
const changes = fc.oneof(
  fc.constant((draft: Draft) => draft),
  fc.tuple(fc.constantFrom("iat", "nbf", "exp"), moments).map(
    ([name, offset]): Change =>
      (draft) => ({ ...draft, claims: replaced(draft.claims, name, String(now + offset)) }),
  ),
  fc.tuple(fc.constantFrom(...names), json).map(
    ([name, value]): Change =>
      (draft) => ({ ...draft, claims: replaced(draft.claims, name, value) }),
  ),
  fc.constantFrom(...names).map(
    (name): Change =>
      (draft) => ({ ...draft, claims: draft.claims.filter(([candidate]) => candidate !== name) }),
  ),
  fc.tuple(fc.constantFrom(...names, "role", "permissions", "__proto__", "constructor"), json, fc.nat(10)).map(
    ([name, value, at]): Change =>
      (draft) => ({ ...draft, claims: draft.claims.toSpliced(at, 0, [name, value]) }),
  ),
  fc.tuple(fc.nat(8), fc.nat(8)).map(
    ([from, to]): Change =>
      (draft) => ({
        ...draft,
        claims: draft.claims.toSpliced(from, 1).toSpliced(to, 0, ...draft.claims.slice(from, from + 1)),
      }),
  ),
  fc.constantFrom("", " ", "\n").map(
    (space): Change =>
      (draft) => ({ ...draft, space }),
  ),
  fc.constantFrom("at+jwt", "JWT", "", "AT+JWT").map(
    (typ): Change =>
      (draft) => ({ ...draft, typ }),
  ),
);

function replaced(claims: Claim[], name: string, value: string): Claim[] {
  return claims.map(([candidate, old]) => [candidate, candidate === name ? value : old]);
}

const drafts = fc
  .array(changes, { minLength: 0, maxLength: 3 })
  .map((made) => made.reduce<Draft>((draft, change) => change(draft), { typ: "at+jwt", claims: genuine, space: "" }));

test("T2: a token that was signed with the real key is accepted exactly when all of its claims are right", async () => {
  const seen = { accepted: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(drafts, async (draft) => {
      const drawn = await write(draft);
      const { status } = await plane.ask("/tasks?limit=1", { token: drawn });
      const expected = isValid(draft, drawn.length);
      seen[expected ? "accepted" : "refused"] += 1;
      expect(status).toBe(expected ? 200 : 401);
    }),
    { numRuns: 4_000 },
  );
  expect(seen.accepted).toBeGreaterThan(300);
  expect(seen.refused).toBeGreaterThan(2_000);
});

const cases: [what: string, change: Change, status: number][] = [
  ["nothing changed", (draft) => draft, 200],
  ["a payload of 1 MB", (draft) => ({ ...draft, claims: replaced(draft.claims, "sub", `"${"a".repeat(1e6)}"`) }), 431],
  ["a life of two years", (draft) => withLife(draft, 2 * year), 200],
  ["a life of two years and a second", (draft) => withLife(draft, 2 * year + 1), 401],
  ["exp 1e400", (draft) => ({ ...draft, claims: replaced(draft.claims, "exp", "1e400") }), 401],
  ["exp now", (draft) => ({ ...draft, claims: replaced(draft.claims, "exp", String(now)) }), 401],
  ["exp in a second", (draft) => ({ ...draft, claims: replaced(draft.claims, "exp", String(now + 1)) }), 200],
  ["nbf in 60 seconds", (draft) => ({ ...draft, claims: replaced(draft.claims, "nbf", String(now + 60)) }), 200],
  ["nbf in 61 seconds", (draft) => ({ ...draft, claims: replaced(draft.claims, "nbf", String(now + 61)) }), 401],
  ["iat in 61 seconds", (draft) => ({ ...draft, claims: replaced(draft.claims, "iat", String(now + 61)) }), 401],
  ["a second exp", (draft) => ({ ...draft, claims: [...draft.claims, ["exp", String(now + 9)]] }), 401],
];

function withLife(draft: Draft, life: number): Draft {
  return { ...draft, claims: replaced(replaced(draft.claims, "iat", String(now)), "exp", String(now + life)) };
}

test.each(cases)("T2: signed with the real key, %s", async (_what, change, status) => {
  const token = await write(change({ typ: "at+jwt", claims: genuine, space: "" }));
  expect((await plane.ask("/tasks?limit=1", { token })).status).toBe(status);
});
