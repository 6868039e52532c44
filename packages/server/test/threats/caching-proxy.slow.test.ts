import { afterAll, expect, test } from "bun:test";
import { readAnswer, unitHeaderName } from "../harness";
import { startNginx } from "../nginx";
import { startProcess } from "../process";

const server = await startProcess();
const beside = await server.openBeside();
const [north, south] = [await beside.addUnit("North"), await beside.addUnit("South")];
await beside.addTasks([{ organizational_unit_id: north, type: "north_canary" }]);
await beside.addTasks([{ organizational_unit_id: south, type: "south_canary" }]);
await beside.addUser({ roles: [{ role: "viewer", unitId: north }], name: "North Canary" });
await beside.addUser({ roles: [{ role: "viewer", unitId: south }], name: "South Canary" });
const ofNorth = await beside.serviceToken("viewer", north);
const ofSouth = await beside.serviceToken("viewer", south);
const ofRoot = await beside.serviceToken("viewer");

const caches = "proxy_cache pages; proxy_cache_valid any 10m; add_header X-Cache $upstream_cache_status;";
const proxy = await startNginx(server.port, [
  caches,
  `${caches} proxy_ignore_headers Cache-Control;`,
  `${caches} proxy_ignore_headers Cache-Control Vary; proxy_cache_key "careless $request_uri";`,
]);
afterAll(async () => {
  await proxy.stop();
  await server.stop();
  await beside.close();
});

const users = (version: number) => `application/api.svc.users=v${version}+json`;
const askers: Record<string, string>[] = [
  { authorization: `Bearer ${ofNorth.token}` },
  { authorization: `Bearer ${ofSouth.token}` },
  { authorization: `Bearer ${ofRoot.token}` },
  { authorization: `Bearer ${ofRoot.token}`, [unitHeaderName]: north },
  { authorization: `Bearer ${ofRoot.token}`, [unitHeaderName]: south },
  { authorization: `Bearer ${ofRoot.token}`, accept: users(1) },
  { authorization: `Bearer ${ofRoot.token}`, accept: users(2) },
  { authorization: "Bearer nobody" },
];

/** Asks for the same pages as many callers in turn, and gives how many answers were not the caller's own. */
async function countMixedAnswers(port: number): Promise<number> {
  const ask = async (through: number, path: string, headers: Record<string, string>) => {
    const {
      status,
      text,
      headers: received,
    } = await readAnswer(await fetch(`http://127.0.0.1:${through}${path}`, { headers }));
    return `${status} ${received.get("content-type")} ${text}`;
  };
  let mixed = 0;
  for (let round = 0; round < 6; round++) {
    for (const path of ["/tasks", "/users", "/users?limit=1"]) {
      for (const headers of askers.toSpliced(0, round)) {
        mixed += Number((await ask(port, path, headers)) !== (await ask(server.port, path, headers)));
      }
    }
  }
  return mixed;
}

test("T16: a caching proxy in front never gives one caller, version or unit the page of another", async () => {
  expect(await countMixedAnswers(proxy.ports[0] ?? 0)).toBe(0);
}, 120_000);

test("T16: even a cache that keeps what it was told not to does not mix pages, because of Vary", async () => {
  expect(await countMixedAnswers(proxy.ports[1] ?? 0)).toBe(0);
}, 120_000);

test("T16: the proxy does cache what is public, and a careless cache is seen to mix pages", async () => {
  const cacheStates: (string | null)[] = [];
  // It keeps an answer once that is whole, which is a moment after the client has it.
  for (let round = 0; round < 100 && cacheStates.at(-1) !== "HIT"; round++) {
    cacheStates.push((await fetch(`http://127.0.0.1:${proxy.ports[0]}/openapi.json`)).headers.get("x-cache"));
    await Bun.sleep(20);
  }
  expect([cacheStates[0], cacheStates.at(-1)]).toEqual(["MISS", "HIT"]);
  expect(await countMixedAnswers(proxy.ports[2] ?? 0)).toBeGreaterThan(50);
}, 120_000);
