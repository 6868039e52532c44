import { afterAll, beforeAll, expect, test } from "bun:test";
import { openReportingPlane, type ReportingPlane } from "../reports/reporting-plane";

let plane: ReportingPlane;
beforeAll(async () => {
  plane = await openReportingPlane();
});
afterAll(() => plane.close());

const claim = () => ({ status: "in_progress", claim_id: crypto.randomUUID() });

test("T27: a runner of another unit cannot claim a task, not even in the group of reports that creates it", async () => {
  const [here, elsewhere] = [await plane.addUnit("Here"), await plane.addUnit("Elsewhere")];
  const own = await plane.serviceToken("reporter", here);
  const foreign = await plane.serviceToken("operator", elsewhere);
  const id = crypto.randomUUID();
  // Sent at once, they are written in one transaction.
  const [created, claimed] = await Promise.all([
    plane.create({ id, status: "queued" }, { token: own.token }),
    plane.update(id, claim(), { token: foreign.token }),
  ]);
  expect([created.status, claimed.status, claimed.body.errors?.[0].error_code]).toEqual([201, 404, 40402]);
  expect((await plane.read(id)).body.status).toBe("queued");
  expect((await plane.update(id, claim(), { token: own.token })).status).toBe(200);
});

test("T27: of eight runners that claim a queued task at once, one wins, and the others hear so", async () => {
  const id = crypto.randomUUID();
  await plane.create({ id, status: "queued" });
  const claims = await Promise.all(Array.from({ length: 8 }, () => plane.update(id, claim())));
  expect(claims.map(({ body }) => body.errors?.[0].error_code ?? 200).sort()).toEqual([200, ...Array(7).fill(40909)]);
});

test("T27: a queued task that was aborted before anyone claimed it has ended, and is nobody's", async () => {
  const id = crypto.randomUUID();
  await plane.create({ id, status: "queued" });
  const { token } = await plane.serviceToken("owner");
  expect((await plane.update(id, { status: "aborting" }, { token })).body.status).toBe("aborted");
  const late = await plane.update(id, claim());
  expect([late.status, late.body.errors[0].error_code]).toEqual([409, 40906]);
});

test("R28: a task that waited for longer than it may stall has not stalled when it is claimed or taken over", async () => {
  const id = crypto.randomUUID();
  const liveness = async () => (await plane.read(id)).body.liveness;
  await plane.create({ id, status: "queued", stall_seconds: 60, lease_seconds: 600 });
  await plane.pass(70);
  await plane.update(id, claim());
  await plane.pass(30);
  expect(await liveness()).toBeUndefined();
  await plane.pass(40);
  expect(await liveness()).toBe("stalled");
  await plane.pass(540);
  expect((await plane.read(id)).body.outcome).toBe("lost");
  await plane.update(id, { ...claim(), attempt: 2 });
  await plane.pass(30);
  expect(await liveness()).toBeUndefined();
});
