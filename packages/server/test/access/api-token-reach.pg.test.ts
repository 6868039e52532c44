import { afterAll, describe, expect, test } from "bun:test";
import { type Ask, openPlane, type Plane, root, walk } from "../harness";
import { absent, at, codeOf, openTokenPlane } from "./token-plane";

const plane = await openTokenPlane();
afterAll(() => plane.close());
const { units, person, rename, rotate, revoke } = plane;

describe("what is seen", () => {
  test("an admin sees the tokens of the unit and below, and people see their own from everywhere", async () => {
    const here = await openPlane();
    const berlin = await here.addUnit("Berlin");
    const mitte = await here.addUnit("Mitte", berlin);
    const paris = await here.addUnit("Paris");
    const userId = await here.addUser({
      roles: [
        { role: "admin", unitId: berlin },
        { role: "viewer", unitId: paris },
      ],
    });
    const viewerId = await here.addUser({ roles: [{ role: "viewer", unitId: berlin }] });
    const tick = async <Made>(make: () => Promise<Made>) => {
      here.clock.now += 1000;
      return make();
    };
    const own = await tick(() => here.personalToken(userId, berlin));
    const ownInParis = await tick(() => here.personalToken(userId, paris));
    const inMitte = await tick(() => here.serviceToken("viewer", mitte));
    const ofViewer = await tick(() => here.personalToken(viewerId, berlin));
    await tick(() => here.serviceToken("owner", root));
    await tick(() => here.serviceToken("viewer", paris));
    const seen = async (token: string, unit: string, query = "") =>
      (await walk(here, `/api-tokens?limit=1${query}`, { token, unit })).map(({ id }) => id);
    expect(await seen(own.token, berlin)).toEqual([ofViewer.id, inMitte.id, ownInParis.id, own.id]);
    expect(await seen(own.token, mitte)).toEqual([inMitte.id, ownInParis.id, own.id]);
    expect(await seen(own.token, paris)).toEqual([ownInParis.id, own.id]);
    expect(await seen(ofViewer.token, berlin)).toEqual([ofViewer.id]);
    const filter = encodeURIComponent(JSON.stringify({ kind: "service", name: { $contains: "VIEWER" } }));
    expect(await seen(own.token, berlin, `&filter=${filter}`)).toEqual([inMitte.id]);
    await here.close();
  });

  test("a service without the permission may not list or read any, not even itself", async () => {
    const { id, token } = await plane.serviceToken("viewer");
    expect(codeOf(await plane.ask("/api-tokens", { token }))).toBe(40302);
    expect(codeOf(await plane.ask(`/api-tokens/${id}`, { token }))).toBe(40302);
  });

  test("the last use is told: when, from where, and by what", async () => {
    const { id, token } = await plane.serviceToken("owner");
    await plane.ask("/tasks", { token, headers: { "User-Agent": "restic-runner/1.2" } });
    await plane.service.tokenUse.flush();
    const { body } = await plane.ask(`/api-tokens/${id}`, { token });
    expect([body.last_used_timestamp, body.last_used_client]).toEqual([at(plane.clock.now), "restic-runner/1.2"]);
    expect(body.last_used_address).toBeString();
  });
});

describe("T8: ids of tokens of other units", () => {
  test("answer like ids that do not exist, byte for byte, whatever is tried", async () => {
    const callers = [
      await person("admin", units.berlin),
      await person("viewer", units.berlin),
      await plane.serviceToken("admin", units.berlin),
      await person("owner", units.mitte),
    ];
    const ids = [
      (await plane.serviceToken("viewer", units.paris)).id,
      (await plane.serviceToken("viewer", root)).id,
      (await person("viewer", units.paris)).id,
      (await person("owner")).id,
    ];
    const escalationSteps: ((id: string, ask: Ask) => ReturnType<Plane["ask"]>)[] = [
      (id, ask) => plane.ask(`/api-tokens/${id}`, ask),
      rename,
      rotate,
      revoke,
    ];
    for (const { token } of callers) {
      for (const deed of escalationSteps) {
        const nowhere = await deed(absent, { token });
        expect([nowhere.status, codeOf(nowhere)]).toEqual([404, 40402]);
        for (const id of ids) {
          const answer = await deed(id, { token });
          expect([answer.status, answer.text]).toEqual([404, nowhere.text]);
        }
        for (const odd of ["%00", "x", "%F0%9F%98%80", "..%2F"]) expect((await deed(odd, { token })).status).toBe(404);
      }
    }
    const { token } = await plane.serviceToken("owner");
    const left = await Promise.all(ids.map((id) => plane.ask(`/api-tokens/${id}`, { token })));
    expect(left.map(({ body }) => [body.name === "renamed", body.revoked_timestamp])).toEqual(
      ids.map(() => [false, null]),
    );
  });

  test("without the permission a service gets the same 403 for every id", async () => {
    const { token } = await plane.serviceToken("operator", units.berlin);
    const { id } = await plane.serviceToken("viewer", units.berlin);
    for (const deed of [rename, rotate, revoke]) {
      const answers = await Promise.all([id, absent, "x"].map((one) => deed(one, { token })));
      expect(answers.map(({ status, text }) => [status, text])).toEqual(
        answers.map(() => [403, answers[0]?.text ?? ""]),
      );
    }
  });
});

describe("T8: what is done to tokens of others", () => {
  test("an admin has no power over a service token that may do more, nor over a person who may", async () => {
    const { token } = await person("admin", units.berlin);
    const { id: ownerService } = await plane.serviceToken("owner", units.berlin);
    const chief = await person("owner", units.berlin);
    for (const answer of [
      await rename(ownerService, { token }),
      await rotate(ownerService, { token }),
      await revoke(ownerService, { token }),
      await rename(chief.id, { token }),
      await rotate(chief.id, { token }),
      await revoke(chief.id, { token }),
    ]) {
      expect([answer.status, codeOf(answer)]).toEqual([403, 40303]);
    }
  });

  test("an admin revokes somebody's personal token, but never gets hold of one", async () => {
    const { token } = await person("admin", units.berlin);
    const viewer = await person("viewer", units.berlin);
    expect([(await rotate(viewer.id, { token })).status, (await rename(viewer.id, { token })).status]).toEqual([
      403, 403,
    ]);
    expect((await plane.ask("/tasks", { token: viewer.token })).status).toBe(200);
    expect((await revoke(viewer.id, { token })).status).toBe(204);
    expect(codeOf(await plane.ask("/tasks", { token: viewer.token }))).toBe(40105);
  });
});
