import { afterAll, expect, test } from "bun:test";
import { createServer } from "node:net";
import { isPublicAddress } from "../../src/outbound/addresses";
import { createOutbound } from "../../src/outbound/outbound";
import { startNameServer } from "./name-server";
import { startReceiver } from "./receiver";
import { openWebhookPlane } from "./webhook-plane";

const names: Record<string, readonly string[]> = {
  "private.example": ["127.0.0.1"],
  "half.example": ["8.8.8.8", "127.0.0.1"],
  "six.example": ["0000:0000:0000:0000:0000:0000:0000:0001"],
  "mapped.example": ["0000:0000:0000:0000:0000:ffff:7f00:0001"],
  "metadata.example": ["169.254.169.254"],
};
const server = await startNameServer((name, time) =>
  name === "rebind.example" ? [time === 1 ? "8.8.8.8" : "127.0.0.1"] : (names[name] ?? []),
);
const plane = await openWebhookPlane({ webhook_allowed_targets: "" }, { resolve: server.resolve });
const { receiver } = plane;
let onSix = 0;
const six = createServer((socket) => {
  onSix += 1;
  socket.destroy();
});
await new Promise<void>((resolve) => six.listen(receiver.port, "::1", resolve));
afterAll(async () => {
  await plane.close();
  await server.close();
  six.close();
});

/** Spellings of addresses that are not on the internet, most of which would reach the receivers of this test. */
const hosts = [
  ...["127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1"],
  ...[
    "017700000001",
    "0x7f.1",
    "127.0.0.1.",
    "0",
    "0.0.0.0",
    "0.1.2.3",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "%31%32%37.0.0.1",
  ],
  ...[
    "localhost",
    "LOCALHOST.",
    "private.example",
    "Private.Example.",
    "half.example",
    "six.example",
    "mapped.example",
  ],
  ...["metadata.example", "169.254.169.254", "0xa9fea9fe", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
  ...["100.64.0.1", "198.18.0.1", "192.0.2.1", "224.0.0.1", "255.255.255.255", "[::1]", "[::]", "[::ffff:127.0.0.1]"],
  ...["[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::a00:1]"],
  ...["[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[fe80::1]", "[fc00::1]", "[fd12::1]"],
  ...["[ff02::1]", "[2001:db8::1]", "[2001::7f00:1]", "[100::1]", "[::ffff:0:127.0.0.1]", "[fec0::1]"],
];
const addresses = hosts.flatMap((host) =>
  ["http", "https"].map((scheme) => `${scheme}://${host}:${receiver.port}/hook`),
);

test("T31: no spelling of a private address can be given to a webhook, nor is any connected to", async () => {
  expect(hosts.length).toBeGreaterThan(40);
  const made = await plane.addWebhook({ url: "https://8.8.8.8/hook" });
  for (const url of addresses) {
    const { status, body } = await plane.addWebhook({ url });
    expect([url, status, body.errors?.[0]?.field]).toEqual([url, 422, "/url"]);
    // As if it had been a public one when the webhook was made.
    await plane.database.change((db) =>
      db.updateTable("webhooks").set({ url }).where("id", "=", made.body.id).execute(),
    );
    const tested = plane.ask(`/webhooks/${made.body.id}/test`, { method: "POST", token: plane.owner });
    expect([url, (await tested).body.state]).toEqual([url, "failed"]);
    plane.clock.now += 61_000;
  }
  expect([receiver.connections(), onSix]).toEqual([0, 0]);
});

test("T31: a name that leads elsewhere the second time is looked at each time, and not connected to", async () => {
  const url = `https://rebind.example:${receiver.port}/hook`;
  const made = await plane.addWebhook({ url });
  expect(made.status).toBe(201);
  await plane.fail();
  await plane.deliveries.deliver();
  expect(await plane.listDeliveries({ webhook_id: made.body.id })).toMatchObject([
    { state: "waiting", attempts: [{ status: null, reason: expect.stringContaining("webhook_allowed_targets") }] },
  ]);
  expect([server.asked("rebind.example"), receiver.connections()]).toEqual([2, 0]);
});

test("T31: the connection goes to the address that was checked, and a name is asked for once in an attempt", async () => {
  const turning = await startNameServer((_, time) => [`127.0.0.${time}`]);
  const allowed = createOutbound({ allowed: ["127.0.0.1"], baseUrl: "http://holdfast.test", resolve: turning.resolve });
  const other = await startReceiver();
  const url = `http://turning.example:${other.port}/hook`;
  expect(await allowed.send({ url, headers: {}, body: "one" })).toMatchObject({ status: 204 });
  await expect(allowed.send({ url, headers: {}, body: "two" })).rejects.toThrow("an address on the internet");
  expect(other.received.map(({ headers, body }) => [headers.host, body])).toEqual([[new URL(url).host, "one"]]);
  expect(turning.asked("turning.example")).toBe(2);
  await other.close();
  await turning.close();
});

test("T31: proxies of the environment are passed over", async () => {
  const proxy = await startReceiver();
  const target = await startReceiver();
  const allowed = createOutbound({ allowed: ["127.0.0.1"], baseUrl: "http://holdfast.test" });
  const variables = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
  for (const name of variables) process.env[name] = proxy.url;
  await allowed.send({ url: target.url, headers: {}, body: "straight" });
  for (const name of variables) delete process.env[name];
  expect([proxy.connections(), target.connections()]).toEqual([0, 1]);
  await proxy.close();
  await target.close();
});

test("the own base URL is refused always, also on a host that is allowed", async () => {
  const given = { allowed: ["holdfast.test", "127.0.0.0/8", "::1", "localhost"], resolve: async () => ["127.0.0.1"] };
  const refusedBy =
    (baseUrl: string, baseUrlAliases: string[] = []) =>
    async (url: string) =>
      createOutbound({ ...given, baseUrl, baseUrlAliases })
        .check(url)
        .then(() => "taken")
        .catch((error) => error.message);
  const own = "another address than that of this service";
  const named = refusedBy("https://holdfast.test");
  expect(
    await Promise.all(["https://holdfast.test/x", "https://HOLDFAST.test.", "http://holdfast.test"].map(named)),
  ).toEqual([own, own, own]);
  expect(await named("https://holdfast.test:8443/x")).toBe("taken");
  expect(await refusedBy("https://new.test", ["https://holdfast.test"])("https://holdfast.test/x")).toBe(own);
  const local = refusedBy("http://localhost:8080");
  const spelled = ["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080", "http://other.test:8080"];
  expect(await Promise.all(spelled.map(local))).toEqual(["taken", own, own, "taken"].map(() => own));
  expect(await local("http://127.0.0.1:9090")).toBe("taken");
});

test("only https, without a user, and only on ports of web servers", async () => {
  const refused = [
    "ftp://8.8.8.8/",
    "file:///etc/passwd",
    "gopher://8.8.8.8:70/",
    "hooks.example.org",
    "",
    "https://user:secret@8.8.8.8/",
    "https://user@8.8.8.8/",
    "https://8.8.8.8:22/",
    "https://8.8.8.8:25/",
    "https://8.8.8.8:1023/",
    "https://8.8.8.8:0/",
    "http://8.8.8.8/",
    "http://nowhere.example/",
  ];
  for (const url of refused) expect([url, (await plane.addWebhook({ url })).status]).toEqual([url, 422]);
  const taken = [
    "https://8.8.8.8/",
    "https://8.8.8.8:80/",
    "https://[2606:4700::1111]:1024/",
    "https://nowhere.example/",
  ];
  for (const url of taken) expect([url, (await plane.addWebhook({ url })).status]).toEqual([url, 201]);
});

test("T31: an address that is read as another one than it looks like is refused, and the answer says what to write", async () => {
  const character = "an address without spaces, line breaks, control characters and backslashes";
  const host = "an address with a host, such as https://hooks.example.org/path";
  const label = "an address with the name of a host: letters, digits, - and _, with single dots between them";
  const controls = [
    "\u0000",
    "\u0001",
    "\t",
    "\n",
    "\r",
    "\u001b",
    "\u007f",
    "\u0085",
    "\u00a0",
    "\u202e",
    "\u200b",
    " ",
    "\\",
  ];
  const given: [string, string][] = [
    ...controls.flatMap((control): [string, string][] => [
      [`https://hooks.example.org/a${control}b`, character],
      [`https://hooks.${control}example.org/`, character],
      [`https:${control}//hooks.example.org/`, character],
      [`${control}https://hooks.example.org/`, character],
      [`https://hooks.example.org/${control}`, character],
    ]),
    ["https:///x", host],
    ["https:////hooks.example.org/x", host],
    ["https:/hooks.example.org/x", host],
    ["https:hooks.example.org/x", host],
    ["https://@hooks.example.org/", "an address without an @ before its host"],
    ["https://:@hooks.example.org/", "an address without an @ before its host"],
    ["https://b\u00fccher.example/", "an address whose host is written as xn--bcher-kva.example"],
    ["https://hooks\u3002example/", "an address whose host is written as hooks.example"],
    ["https://%68ooks.example/", "an address whose host is written as hooks.example"],
    ["https://134744072/", "an address whose host is written as 8.8.8.8"],
    ["https://8.8.8.8:0443/", "an address whose host is written as 8.8.8.8"],
    ["https://hooks..example/", label],
    ["https://.hooks.example/", label],
    ["https://hooks.example../", label],
    ["https://-hooks.example/", label],
    ["https://*.example/", label],
    [`https://${"a".repeat(64)}.example/`, label],
  ];
  for (const [url, expected] of given) {
    const { status, body } = await plane.addWebhook({ url });
    expect([url, status, body.errors]).toEqual([
      url,
      422,
      [{ field: "/url", error_code: 42201, error_message: `The field "url" has to be ${expected}.` }],
    ]);
  }
  const { body: made } = await plane.addWebhook({ url: "https://8.8.8.8/" });
  const patched = await plane.ask(`/webhooks/${made.id}`, {
    method: "PATCH",
    token: plane.owner,
    body: { url: "https:///x" },
  });
  expect(patched.status).toBe(422);
  const taken = [
    "https://xn--bcher-kva.example/",
    "https://hooks.example./",
    "https://8.8.8.8:443/",
    "https://A_b.example/caf\u00e9?q=%20",
  ];
  for (const url of taken) expect([url, (await plane.addWebhook({ url })).status]).toEqual([url, 201]);
});

test("without TLS, a name that is not found is refused unless it is named itself", async () => {
  const given = { allowed: ["named.test", "10.0.0.0/8"], baseUrl: "https://holdfast.test", resolve: async () => [] };
  const { check } = createOutbound(given);
  await expect(check("http://other.test/")).rejects.toThrow("begins with https://");
  expect(await check("http://NAMED.test./")).toBeUndefined();
  expect(await check("https://other.test/")).toBeUndefined();
});

test("what is on the internet and what is not", () => {
  const far = [
    "1.1.1.1",
    "172.15.0.1",
    "172.32.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "2606:4700::1111",
    "::ffff:8.8.8.8",
  ];
  const near = ["fe80::1%eth0", "::ffff:10.0.0.1", "2002:0a00:0001::", "64:ff9b::10.0.0.1", "3fff::1", "nonsense"];
  expect(far.filter((address) => !isPublicAddress(address))).toEqual([]);
  expect(["64:ff9b::8.8.8.8", "2002:808:808::1"].filter((address) => !isPublicAddress(address))).toEqual([]);
  expect(near.filter(isPublicAddress)).toEqual([]);
});
