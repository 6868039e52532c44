import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:tls";
import { expectRefusal } from "../error-envelope";
import { unitHeaderName } from "../harness";
import { metricsToken } from "../process";
import { startCluster } from "./start-cluster";
import { type DocumentedProxy, proxyKinds } from "./start-proxy";

describe.each(proxyKinds)("behind %s", (kind) => {
  const started = startCluster(kind).then(async (cluster) => {
    const { plane } = cluster;
    const [north, south] = [await plane.addUnit("North"), await plane.addUnit("South")];
    await plane.addTasks(
      [north, south].flatMap((unit) =>
        Array.from({ length: 5 }, (_, index) => ({ organizational_unit_id: unit, type: `of_${unit}_${index}` })),
      ),
    );
    const owner = (await plane.serviceToken("owner")).token;
    const ofNorth = (await plane.serviceToken("viewer", north)).token;
    const ofSouth = (await plane.serviceToken("viewer", south)).token;
    return { ...cluster, north, south, owner, ofNorth, ofSouth };
  });
  afterAll(async () => (await started).stop());

  test("discovery leads to every list", async () => {
    const { ask, owner } = await started;
    const { status, body } = await ask("/", { token: owner });
    expect([status, body.tasks.v1["list-tasks"].href]).toEqual([200, "/tasks"]);
    expect((await ask(body.tasks.v1["list-tasks"].href, { token: owner })).body.total_count).toBe(10);
  });

  test("a filter of 8 KiB that takes 24 KiB in the address is answered, and so are the links of its page", async () => {
    const { ask, owner } = await started;
    // Each of these letters is three bytes, and nine characters in an address.
    const written = JSON.stringify({ type: { $neq: "€".repeat(2_724) } });
    const filter = encodeURIComponent(written);
    expect([Buffer.byteLength(written), filter.length > 24_500]).toEqual([8_192, true]);
    const { status, body } = await ask(`/tasks?limit=3&filter=${filter}`, { token: owner });
    expect([status, body.total_count, body.filter_applied]).toEqual([200, 10, written]);
    expect((await ask(body._links.next.href, { token: owner })).body.total_count).toBe(10);
  });

  test("links lead through all pages and back, whichever node answers", async () => {
    const { ask, owner } = await started;
    const pages = [await ask("/tasks?limit=4", { token: owner })];
    for (const link of ["next", "next", "prev", "first"]) {
      pages.push(await ask(pages.at(-1)?.body._links[link].href, { token: owner }));
    }
    const ids = pages.map(({ body }) => body._embedded.items.map(({ id }: { id: string }) => id));
    expect(new Set(ids.slice(0, 3).flat()).size).toBe(10);
    expect(ids.slice(3)).toEqual([ids[1], ids[0]]);
  });

  test("an ETag from one node is known to the other, and a page that was not changed is not sent again", async () => {
    const { ask, nodes, owner } = await started;
    const asItIs = { "Accept-Encoding": "identity" };
    const etag = (await ask("/tasks", { token: owner, headers: asItIs })).headers.get("etag") ?? "";
    const headers = { ...asItIs, "If-None-Match": etag };
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask("/tasks", { token: owner, headers })));
    const direct = await Promise.all(nodes.map((node) => node.ask("/tasks", { token: owner, headers })));
    expect(etag).toMatch(/^"/);
    expect([...answers, ...direct].map(({ status, text }) => [status, text])).toEqual(Array(8).fill([304, ""]));
    expect((await ask("/tasks", { token: owner, headers: { "If-None-Match": '"other"' } })).status).toBe(200);
  });

  test("HEAD says what GET would, without a body", async () => {
    const { ask, owner } = await started;
    const asIs = { token: owner, headers: { "Accept-Encoding": "identity" } };
    const [head, get] = [await ask("/tasks", { ...asIs, method: "HEAD" }), await ask("/tasks", asIs)];
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["etag", "content-type", "content-length", "vary", "cache-control"]) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect(head.headers.get("content-length")).toBe(String(get.text.length));
  });

  test("the unit's header arrives, and the media type comes back as it is", async () => {
    const { ask, owner, north } = await started;
    const { body, headers } = await ask("/tasks", { token: owner, unit: north });
    expect([body.total_count, headers.get("content-type")]).toEqual([5, "application/api.svc.tasks=v1+json"]);
    const elsewhere = await ask("/tasks", { token: owner, unit: "no unit" });
    expectRefusal(elsewhere);
  });

  test("refusals are the service's own, with their envelope and headers", async () => {
    const { ask, owner, south, ofNorth } = await started;
    const refused = [
      await ask("/tasks"),
      await ask("/tasks?limt=1", { token: owner }),
      await ask("/nowhere", { token: owner }),
      await ask("/tasks", { token: owner, accept: "text/csv" }),
      await ask("/tasks", { token: ofNorth, unit: south }),
      await ask("/tasks", { token: owner, method: "DELETE" }),
    ];
    for (const answer of refused) expectRefusal(answer);
    expect(refused.map(({ status }) => status)).toEqual([401, 400, 404, 406, 403, 405]);
    expect(refused[0]?.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(refused[5]?.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
  });

  test("figures stay inside, however their path is written, and a node itself shows them", async () => {
    const { proxy, nodes } = await started;
    const written = ["/metrics", "/metrics/", "//metrics", "/%6Detrics", "/./metrics", "/x/../metrics", "/%2e/metrics"];
    const spellings = [...written, "/x\\..\\metrics", "/METRICS", "/metrics?x=1"];
    for (const path of spellings) {
      const answer = await askRaw(proxy, path);
      expect([path, answer.status, answer.text.includes("holdfast_")]).toEqual([path, 404, false]);
    }
    const inside = await nodes[0].ask("/metrics", { token: metricsToken });
    expect([inside.status, inside.text.includes("holdfast_requests_total")]).toEqual([200, true]);
  });

  test("the service says the proxy's address where it says its own, and both nodes take its tokens", async () => {
    const { ask, nodes, owner, baseUrl } = await started;
    expect((await ask("/openapi.json")).body.servers).toEqual([{ url: baseUrl }]);
    expect((await ask("/tasks", { token: owner })).headers.get("strict-transport-security")).toBe("max-age=31536000");
    const direct = await Promise.all(nodes.map((node) => node.ask("/tasks", { token: owner })));
    expect(direct.map(({ status }) => status)).toEqual([200, 200]);
  });

  test("T16: two tenants that ask at the same time never get each other's pages", async () => {
    const { ask, north, south, ofNorth, ofSouth, owner } = await started;
    const askers = [
      { unit: north, ask: { token: ofNorth } },
      { unit: south, ask: { token: ofSouth } },
      { unit: north, ask: { token: owner, headers: { [unitHeaderName]: north } } },
      { unit: south, ask: { token: owner, headers: { [unitHeaderName]: south } } },
    ];
    const units = await Promise.all(
      Array.from({ length: 200 }, async (_, turn) => {
        const asker = askers[turn % askers.length];
        const { text } = await ask("/tasks?limit=3", asker?.ask);
        return [asker?.unit, ...Array.from(text.matchAll(/"organizational_unit_id":"([^"]+)"/g), ([, id]) => id)];
      }),
    );
    expect(units.map(String)).toEqual(units.map(([unit]) => [unit, unit, unit, unit].join()));
  });
});

/** Asks for a path as it is written, which fetch would tidy up, with the token that a node shows its figures for. */
function askRaw({ port, certificate }: DocumentedProxy, path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, ca: certificate });
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve({ status: Number(text.slice(9, 12)), text }));
    const headers = ["Host: 127.0.0.1", `Authorization: Bearer ${metricsToken}`, "Connection: close"];
    socket.write([`GET ${path} HTTP/1.1`, ...headers, "", ""].join("\r\n"));
  });
}
