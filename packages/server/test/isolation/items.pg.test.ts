import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Answered, openPlane, type Plane, root } from "../harness";
import { runs } from "../runs";
import { expectTasks, expectUsers } from "./model";
import { anySketch, buildWorld, pick } from "./world";

let plane: Plane;
beforeAll(async () => {
  plane = await openPlane();
});
afterAll(() => plane.close());

const reads = fc.array(fc.record({ token: fc.nat(), item: fc.nat(), unit: fc.option(fc.nat(), { nil: undefined }) }), {
  minLength: 20,
  maxLength: 40,
});

test("T8 an item is read where its list shows it, and elsewhere answers byte for byte like one that does not exist", async () => {
  await fc.assert(
    fc.asyncProperty(anySketch, reads, async (sketch, asks) => {
      const world = await buildWorld(plane, sketch);
      const paths = [
        ...world.tasks.map(({ id }) => `/tasks/${encodeURIComponent(id)}`),
        ...world.users.map(({ id }) => `/users/${id.toUpperCase()}`),
        "/tasks/__proto__",
        "/users/constructor",
      ];
      for (const { token: number, item, unit } of asks) {
        const token = pick(world.tokens, number);
        const header = unit === undefined ? undefined : pick(world.units, unit).id;
        const seen = [
          ...itemsOf(expectTasks(world, token, header, {})).map(({ id }) => `/tasks/${encodeURIComponent(id)}`),
          ...itemsOf(expectUsers(world, token, header, {})).map(({ id }) => `/users/${id.toUpperCase()}`),
        ];
        const path = pick(paths, item);
        const ask = { token: token.token, ...(header === undefined ? {} : { unit: header }) };
        const answer = await plane.ask(path, ask);
        const absent = await plane.ask(`/${path.split("/")[1]}/11111111-1111-4111-8111-111111111111`, ask);
        const { status } = expectTasks(world, token, header, {});
        expect(absent.status).toBe(status === 200 ? 404 : status);
        expect(seen.includes(path) ? [answer.status] : whole(answer)).toEqual(
          seen.includes(path) ? [200] : whole(absent),
        );
      }
    }),
    runs(120),
  );
}, 120_000);

test("T8 what one user of a unit may not see is 404 for every reading role, and a refusal for the one that cannot read", async () => {
  const mine = await plane.addUnit("Mine");
  const theirs = await plane.addUnit("Theirs");
  const [task] = await plane.addTasks([{ id: "theirs", organizational_unit_id: theirs }]);
  const user = await plane.addUser({ email: "theirs@example.org", roles: [{ role: "viewer", unitId: theirs }] });
  const statuses = async (role: "owner" | "admin" | "operator" | "viewer" | "reporter") => {
    const { token } = await plane.serviceToken(role, mine);
    const paths = [`/tasks/${task?.id}`, `/users/${user}`];
    return Promise.all(paths.map(async (path) => (await plane.ask(path, { token })).status));
  };
  expect({
    owner: await statuses("owner"),
    admin: await statuses("admin"),
    operator: await statuses("operator"),
    viewer: await statuses("viewer"),
    reporter: await statuses("reporter"),
  }).toEqual({
    owner: [404, 404],
    admin: [404, 404],
    operator: [404, 404],
    viewer: [404, 404],
    reporter: [403, 403],
  });
});

test("T8 a user without any role is read from the root alone", async () => {
  const unit = await plane.addUnit("Some unit");
  const id = await plane.addUser({ email: "nobody@example.org" });
  const { token } = await plane.serviceToken("viewer", root);
  expect((await plane.ask(`/users/${id}`, { token })).status).toBe(200);
  expect((await plane.ask(`/users/${id}`, { token, unit })).status).toBe(404);
});

function itemsOf<Item>(expected: { status: number; items?: Item[] }): Item[] {
  return expected.items ?? [];
}

/** All that an answer says, but for the id that every request has of its own. */
function whole({ status, text, headers }: Answered): unknown[] {
  return [status, text, [...headers].filter(([name]) => name !== "x-request-id")];
}
