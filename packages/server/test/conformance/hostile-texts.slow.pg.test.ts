import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectRefusal } from "../error-envelope";
import { type Answered, openPlane, root } from "../harness";
import { countHardToStore, hostileTexts } from "../reports/hostile-texts";
import { firstOf, someOnPostgres } from "../runs";
import type { OwnedPlane } from "../samples/resource-sample";
import { prepareIn } from "../samples/samples";
import { textsOf } from "../threats/body-texts";
import { writes } from "./declared";

// Reports have more ways to write a text, and a suite of their own: reports/hostile-texts.slow.pg.test.ts.
const fields = writes.flatMap(({ name, operation, accept, resource }) =>
  (operation.body ? textsOf(operation.body) : [])
    .filter(({ field }) => !field.includes("."))
    .map(({ field }) => ({ name, operation, accept, resource, field })),
);
const texts = someOnPostgres(countHardToStore, firstOf(countHardToStore + 30, hostileTexts));
/** Fields that are refused unless they are one line of what can be seen. */
const lines = ["name", "full_name"];

let plane: OwnedPlane;
beforeAll(async () => {
  const opened = await openPlane();
  const userId = await opened.addUser({ roles: [{ role: "owner" }] });
  const owner = (await opened.personalToken(userId)).token;
  plane = { ...opened, owner };
});
afterAll(() => plane.close());

describe.each(fields)("T34: $field of $name", ({ operation, accept, resource, field }) => {
  /** Removes what a text has made, so that no limit on the number of items is in the way. */
  async function remove(id: string): Promise<void> {
    const removal = writes.find((one) => one.resource === resource && one.operation.method === "delete");
    if (!removal) return;
    await plane.ask(removal.operation.path.replace(/\{\w+\}/, id), { method: "DELETE", token: plane.owner });
  }

  test("takes a hostile text as a text or refuses it, and shows what it took as it is", async () => {
    const isOfItem = operation.path.includes("{");
    let prepared = await prepareIn(plane, root, operation.id);
    for (const { text, line = text } of texts) {
      if (!isOfItem) prepared = await prepareIn(plane, root, operation.id);
      const answer: Answered = await plane.ask(operation.path.replace(/\{\w+\}/, prepared.itemId ?? ""), {
        method: operation.method.toUpperCase(),
        token: plane.owner,
        accept,
        body: { ...prepared.body, [field]: text },
      });
      const what = JSON.stringify(text);
      if (answer.status >= 300) {
        expectRefusal(answer);
        expect([what, [403, 404, 409, 422].includes(answer.status)]).toEqual([what, true]);
        continue;
      }
      expect([what, lines.includes(field) && line === null]).toEqual([what, false]);
      const shown: unknown = answer.body[field];
      if (typeof shown === "string") expect([text, line]).toContain(shown);
      const read = await plane.ask(answer.body._links.self.href, { token: plane.owner, accept });
      expect([what, read.status, read.body[field]]).toEqual([what, 200, shown]);
      if (!isOfItem) await remove(answer.body.id);
    }
  });
});
