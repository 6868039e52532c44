import { afterAll, expect, test } from "bun:test";
import { openPlane } from "../harness";
import { auditTrail } from "./people";

const plane = await openPlane();
afterAll(plane.close);

const [own, theirs] = [await plane.addUnit("Own"), await plane.addUnit("Theirs")];
const role_id = await plane.roleId("viewer");
const { id: tokenId, token } = await plane.serviceToken("admin", own);
const invite = (email: string, unit = own, asker = token) =>
  plane.ask("/users", {
    method: "POST",
    token: asker,
    body: { email, full_name: "X", access_control_configuration: [{ role_id, organizational_unit_ids: [unit] }] },
  });
const taken = {
  errors: [
    {
      error_code: 40902,
      error_message: "There is a user with that address already. Each address can be used once.",
      field: "/email",
    },
  ],
};

await plane.addUser({ email: "hidden@example.org", roles: [{ role: "owner", unitId: theirs }] });
await plane.addUser({ email: "disabled@example.org", isEnabled: false, roles: [{ role: "viewer", unitId: theirs }] });
await plane.addUser({ email: "invited@example.org", isConfirmed: false });
await plane.addUser({ email: "mine@example.org", roles: [{ role: "viewer", unitId: own }] });

test("T10: that an address is taken is all that shows of a hidden user, and each time it does is in the audit trail", async () => {
  const addresses = ["hidden@example.org", "Disabled@example.org", "invited@example.org", "mine@example.org"];
  for (const email of addresses) {
    const { status, body, headers } = await invite(email);
    expect([status, body, headers.get("location"), headers.get("etag")]).toEqual([409, taken, null, null]);
  }
  const events = (await auditTrail(plane)).filter(({ operation }) => operation === "create-user");
  expect(events).toEqual([
    {
      actor: { kind: "service", user_id: null, token_id: tokenId, address: "" },
      operation: "create-user",
      object: null,
      result: "refused",
      reason: "alreadyThere",
      count: 4,
      after: null,
    },
  ]);
  const read = await plane.ask("/audit-events", { token });
  expect(
    read.body._embedded.items.map(({ reason, count }: { reason: string; count: number }) => [reason, count]),
  ).toEqual([["alreadyThere", 4]]);
});

test("T10: not even that shows to who may not invite, or gives a role where they may not", async () => {
  const reader = (await plane.serviceToken("viewer", own)).token;
  const asks = (email: string) => [invite(email, own, reader), invite(email, theirs), invite(email, "x")];
  const [known, unknown] = await Promise.all(
    ["hidden@example.org", "free@example.org"].map((email) => Promise.all(asks(email))),
  );
  expect(known?.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(known?.map(({ text }) => text)).toEqual(unknown?.map(({ text }) => text) ?? []);
});

test("T10: an address cannot be changed, so that nothing is learned that way", async () => {
  const { body } = await invite("new@example.org");
  const change = (email: string) => plane.ask(`/users/${body.id}`, { method: "PATCH", token, body: { email } });
  const [known, unknown] = [await change("hidden@example.org"), await change("free@example.org")];
  expect([known.status, known.text]).toEqual([422, unknown.text]);
});

test("other conflicts are nothing for the audit trail", async () => {
  const before = (await auditTrail(plane)).length;
  const create = () =>
    plane.ask("/roles", { method: "POST", token, body: { name: "one", permissions: ["tasks:read"] } });
  expect([(await create()).status, (await create()).status]).toEqual([201, 409]);
  expect((await auditTrail(plane)).slice(before).map(({ operation, result }) => [operation, result])).toEqual([
    ["create-role", "done"],
  ]);
});
