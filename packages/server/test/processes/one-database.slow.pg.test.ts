import { afterAll, expect, test } from "bun:test";
import { revokeToken } from "../../src/resources/api-tokens/store";
import { insertTasks } from "../../src/resources/tasks/reports/store";
import { revokeRole, setUserEnabled } from "../../src/resources/users/store";
import { type Answered, root } from "../harness";
import { startProcess } from "../process";
import { createDice } from "../random";
import { size } from "../runs";
import { createCrowd, livingTask } from "../walk/crowd";
import { findFaults } from "../walk/walk-while";
import { connectToEach } from "./connection";

const server = await startProcess({ flags: { processes: "4", log_level: "warn" } });
const beside = await server.openBeside();
const { token } = await beside.serviceToken("viewer");
afterAll(async () => {
  await server.stop();
  await beside.close();
});

test("R10: what was acknowledged is seen by the next request, whichever process answers it", async () => {
  const unit = await beside.addUnit("Read your write");
  const { token: own } = await beside.serviceToken("viewer", unit);
  const processes = await connectToEach(server.port, 4);
  const total = async (round: number) => {
    const answer = await processes[round % 4]?.ask("/tasks?limit=1", { token: own });
    return answer?.body.total_count;
  };
  const rounds = Array.from({ length: size({ default: 24, long: 10_000 }) }, (_, round) => round);
  const before: number[] = [];
  const after: number[] = [];
  for (const round of rounds) {
    // Asked before, too: so each process has something to remember that is about to be wrong.
    before.push(await total(round));
    await beside.addTasks([{ organizational_unit_id: unit }]);
    after.push(await total(round));
  }
  expect(before).toEqual(rounds);
  expect(after).toEqual(rounds.map((round) => round + 1));
}, 300_000);

test("T6, R12: a revoked token is refused by the next request in every process", async () => {
  const processes = await connectToEach(server.port, 4);
  const seen: string[] = [];
  for (let round = 0; round < size({ default: 4, long: 250 }); round++) {
    const made = await beside.serviceToken("viewer");
    const statuses = () => Promise.all(processes.map(async ({ ask }) => (await ask("/tasks?limit=1", made)).status));
    const good = await statuses();
    await beside.database.change((db) => revokeToken(db, made.id, Date.now()));
    seen.push([...good, ...(await statuses())].join(" "));
  }
  expect(new Set(seen)).toEqual(new Set(["200 200 200 200 401 401 401 401"]));
}, 120_000);

test("T6, R12: a user who is disabled or has lost a role is refused by the next request in every process", async () => {
  const processes = await connectToEach(server.port, 4);
  const roleId = await beside.roleId("viewer");
  const seen: string[] = [];
  for (let round = 0; round < size({ default: 3, long: 125 }); round++) {
    const [disabled, deprived] = [
      await beside.addUser({ roles: [{ role: "viewer" }] }),
      await beside.addUser({ roles: [{ role: "viewer" }] }),
    ];
    const tokens = [await beside.personalToken(disabled), await beside.personalToken(deprived)];
    const statuses = () =>
      Promise.all(
        processes.map(async ({ ask }) => [
          (await ask("/tasks?limit=1", tokens[0])).status,
          (await ask("/tasks?limit=1", tokens[1])).status,
        ]),
      );
    const good = await statuses();
    await beside.database.change((db) => setUserEnabled(db, disabled, false));
    await beside.database.change((db) => revokeRole(db, { userId: deprived, roleId, unitId: root }));
    seen.push([...good.flat(), ...(await statuses()).flat()].join(" "));
  }
  expect(new Set(seen)).toEqual(new Set(["200 200 200 200 200 200 200 200 401 401 401 401 401 401 401 401"]));
}, 120_000);

test("R9 a walk whose every page comes from another process holds while tasks come, change and go", async () => {
  const unit = await beside.addUnit("Walk");
  const { token: own } = await beside.serviceToken("viewer", unit);
  const dice = createDice(11);
  const first = Array.from({ length: 1_000 }, (_, number) => livingTask(number, dice, unit));
  await beside.database.change((db) => insertTasks(db, first));
  const crowd = createCrowd([beside.database], first, dice, unit);
  const processes = await connectToEach(server.port, 4);
  const pages: Answered[] = [];
  for (
    let href: string | undefined = "/tasks?limit=7";
    href !== undefined;
    href = pages.at(-1)?.body._links.next?.href
  ) {
    const page = await processes[pages.length % 4]?.ask(href, { token: own });
    expect(page?.status).toBe(200);
    pages.push(...(page ? [page] : []));
    await crowd.act();
  }
  expect(pages.length).toBeGreaterThan(100);
  expect([crowd.arrived.size > 20, crowd.touched.size > 20]).toEqual([true, true]);
  expect(findFaults(pages, crowd, crowd.steady())).toEqual({
    duplicates: [],
    missed: [],
    late: [],
    misplaced: [],
    totals: [1_000],
  });
}, 120_000);

test("a page has the same bytes and the same ETag in every process", async () => {
  await beside.addTasks(Array.from({ length: 10 }, () => ({})));
  const processes = await connectToEach(server.port, 4);
  const [first, ...others] = await Promise.all(processes.map(({ ask }) => ask("/tasks?limit=5", { token })));
  const etag = first?.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"/);
  expect(others.map(({ text, headers }) => [text, headers.get("etag")])).toEqual(
    others.map(() => [first?.text ?? "", etag]),
  );
  const again = processes.map(({ ask }) => ask("/tasks?limit=5", { token, headers: { "If-None-Match": etag } }));
  expect((await Promise.all(again)).map(({ status }) => status)).toEqual([304, 304, 304, 304]);
});
