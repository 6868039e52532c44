import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { METHODS } from "node:http";
import { connect } from "node:net";
import { DatabaseUnavailable } from "../../src/database/errors";
import { createApp } from "../../src/http/app";
import { listen } from "../../src/http/listen";
import { type Ask, root, unitHeaderName } from "../harness";
import { codesOf } from "./codes-of";
import { allowedAt, allPaths, apiPaths, filteredLists, lists, reads } from "./declared";
import { openSeededPlane, type SeededPlane } from "./seeded-plane";

let plane: SeededPlane;
beforeAll(async () => {
  plane = await openSeededPlane();
});
afterAll(() => plane.close());

describe("a path that does not exist", () => {
  test.each([
    "/nothing",
    "/user",
    "/users/",
    "/users/a/b",
    "/Users",
    "//",
    "/tasks/x/abort",
    "/.env",
    "/%00",
    "/users%2F1",
  ])("%s is answered with 404, with and without a token", async (path) => {
    for (const ask of [{}, { token: plane.owner }, { token: "broken" }]) {
      const answer = await plane.ask(path, ask);
      expect([answer.status, codesOf(answer)]).toEqual([404, [40401]]);
    }
  });

  test.each(["POST", "DELETE", "OPTIONS", "PATCH"])("is answered with 404 for %s too", async (method) => {
    const answer = await plane.ask("/nothing", { method });
    expect([answer.status, codesOf(answer)]).toEqual([404, [40401]]);
  });
});

describe.each(allPaths)("the path %s", (path) => {
  const others = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => !allowedAt(path).includes(method));

  test.each(others)("refuses %s and says what it takes, without a token", async (method) => {
    const answer = await plane.ask(path, { method });
    expect([answer.status, codesOf(answer)]).toEqual([405, [40501]]);
    expect(answer.headers.get("allow")).toBe(allowedAt(path));
  });

  test("answers OPTIONS without a token", async () => {
    const { status, text, headers } = await plane.ask(path, { method: "OPTIONS" });
    expect([status, text, headers.get("allow")]).toEqual([204, "", allowedAt(path)]);
    expect(headers.get("vary")).toBe(`Accept, Accept-Encoding, Authorization, ${unitHeaderName}`);
    expect(headers.get("cache-control")).toBe("private, no-cache");
  });
});

describe.each(apiPaths)("the path %s", (path) => {
  test("answers an erroneous HEAD without a body", async () => {
    const { status, text, headers } = await plane.ask(path, { method: "HEAD" });
    expect([status, text, headers.get("content-type")]).toEqual([401, "", "application/json"]);
  });

  test("asks for a token before it looks at anything else", async () => {
    const answer = await plane.ask(`${path}?nonsense=1&limit=x`, { accept: "image/png", unit: "no uuid" });
    expect([answer.status, codesOf(answer)]).toEqual([401, [40101]]);
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="holdfast"');
  });

  test.each(["Basic YTpi", "Bearer", "Bearer ", "bearer", "Token abc", "Bearer a b", ""])(
    "takes the Authorization header %j for none",
    async (authorization) => {
      const answer = await plane.ask(path, { headers: { Authorization: authorization } });
      expect([answer.status, codesOf(answer)]).toEqual([401, [40101]]);
    },
  );

  test("takes the scheme in any letter case", async () => {
    const answer = await plane.ask(path, { headers: { Authorization: `bEARER ${plane.owner}` } });
    expect([200, 404]).toContain(answer.status);
  });

  test("does not take a token from the address", async () => {
    const answer = await plane.ask(`${path}?access_token=${plane.owner}`);
    expect([answer.status, codesOf(answer)]).toEqual([401, [40101]]);
  });

  test("looks at the unit before the version, and at the version before the query", async () => {
    const wrong: Ask = { token: plane.owner, accept: "text/html", unit: "no uuid" };
    const stages = [
      await plane.ask(`${path}?nonsense=1`, wrong),
      await plane.ask(`${path}?nonsense=1`, { ...wrong, unit: root }),
      await plane.ask(`${path}?nonsense=1`, { token: plane.owner }),
    ];
    expect(stages.map((answer) => [answer.status, ...codesOf(answer)])).toEqual([
      [400, 40011],
      [406, 40601],
      [400, 40001],
    ]);
  });

  test("refuses a repeated Authorization header and a repeated unit header", async () => {
    const twice = await plane.ask(path, { headers: { Authorization: `Bearer ${plane.owner}, Bearer ${plane.owner}` } });
    expect([twice.status, codesOf(twice)]).toEqual([400, [40010]]);
    const units = await plane.ask(path, { token: plane.owner, unit: `${root}, ${root}` });
    expect([units.status, codesOf(units)]).toEqual([400, [40010]]);
  });
});

describe.each(reads)("$name", ({ operation, accept }) => {
  const read = (id: string, ask: Ask = {}) =>
    plane.ask(operation.path.replace(/\{\w+\}/, id), { token: plane.owner, accept, ...ask });

  test.each([
    "00000000-0000-7000-8000-999999999999",
    "x",
    "%00",
    "%E0%A4%A",
    "..%2f",
    "' or 1=1 --",
    "é",
    "a".repeat(2000),
  ])("answers 404 for the id %s", async (id) => {
    const answer = await read(id);
    expect([answer.status, codesOf(answer)]).toEqual([404, [40402]]);
  });

  test("takes no parameters but its own", async () => {
    const answer = await read("x", {});
    const withParameter = await plane.ask(`${operation.path.replace(/\{\w+\}/, "x")}?nonsense=1`, {
      token: plane.owner,
    });
    expect([answer.status, withParameter.status, codesOf(withParameter)]).toEqual([404, 400, [40001]]);
  });

  test("answers 403, not 404, where the permission is missing", async () => {
    const answer = await read("x", { token: plane.reporter });
    expect([answer.status, codesOf(answer)]).toEqual([403, [40302]]);
  });
});

describe.each(lists)("$name", ({ operation, accept }) => {
  test("names every fault of a filter", async () => {
    const filter = encodeURIComponent('{"a":1,"b":{"$x":2}}');
    const answer = await plane.ask(`${operation.path}?filter=${filter}`, { token: plane.owner, accept });
    expect([answer.status, codesOf(answer)]).toEqual([400, [40005, 40005]]);
    expect(answer.body.errors[1].error_message).toContain('"b"');
  });

  test("refuses what is not UTF-8", async () => {
    const answer = await plane.ask(`${operation.path}?filter=%ff`, { token: plane.owner, accept });
    expect([answer.status, codesOf(answer)]).toEqual([400, [40003]]);
  });
});

describe.each(filteredLists)("$name", ({ operation, accept }) => {
  test("takes a filter of 8 KiB that is three times as long in the address, and refuses one byte more", async () => {
    const [field = ""] = Object.keys(operation.filters);
    const of = (bytes: number) => {
      const frame = `{"${field}":""}`;
      const rest = bytes - frame.length;
      return encodeURIComponent(`{"${field}":"${"é".repeat(Math.floor(rest / 2))}${"a".repeat(rest % 2)}"}`);
    };
    expect(of(8192).length).toBeGreaterThan(24_000);
    const ask = { token: plane.owner, accept };
    expect((await plane.ask(`${operation.path}?filter=${of(8192)}`, ask)).status).toBe(200);
    const answer = await plane.ask(`${operation.path}?filter=${of(8193)}`, ask);
    expect([answer.status, codesOf(answer)]).toEqual([400, [40008]]);
  });
});

describe("what is too large", () => {
  test("is 414 for an address over 32 KiB", async () => {
    const answer = await plane.ask(`/tasks?filter=${"a".repeat(32_768)}`, { token: plane.owner });
    expect([answer.status, codesOf(answer)]).toEqual([414, [41401]]);
  });

  test("is 431 for headers over 32 KiB", async () => {
    const answer = await plane.ask("/tasks", { token: plane.owner, headers: { "X-Long": "a".repeat(32_768) } });
    expect([answer.status, codesOf(answer)]).toEqual([431, [43101]]);
  });

  test("is 413 for a body over the limit", async () => {
    const answer = await plane.ask("/tasks", { token: plane.owner, headers: { "Content-Length": "1048577" } });
    expect([answer.status, codesOf(answer)]).toEqual([413, [41301]]);
  });
});

test.each([
  "evil.example",
  "evil.example:80",
  "a b",
  "[::1",
  "localhost:port",
  "http://localhost",
  "holdfast.test.evil.example",
])("the Host %s is none of ours and is refused with 400", async (host) => {
  const answer = await plane.ask("/tasks", { token: plane.owner, headers: { Host: host } });
  expect([answer.status, codesOf(answer)]).toEqual([400, [40012]]);
  expect(answer.text).not.toContain("evil");
});

describe("a fault of ours", () => {
  const breakWith = async (error: Error) => {
    const { unitAccess } = plane.service;
    plane.service.unitAccess = () => Promise.reject(error);
    const answer = await plane.ask("/tasks", { token: plane.owner });
    plane.service.unitAccess = unitAccess;
    return answer;
  };

  test("is 500 with an incident id that the log has too, and nothing of the inside", async () => {
    const answer = await breakWith(new Error("SELECT secret FROM inside"));
    expect([answer.status, codesOf(answer)]).toEqual([500, [50001]]);
    expect(answer.text).not.toMatch(/SELECT|inside|\.ts|stack/);
    const incident = /incident id ([0-9a-f-]{36})/.exec(answer.text)?.[1] ?? "none";
    plane.service.log.flush();
    expect(plane.logged.join("")).toContain(incident);
    expect(plane.logged.join("")).toContain("SELECT secret FROM inside");
  });

  test("is 503 with Retry-After while the database is away", async () => {
    const answer = await breakWith(new DatabaseUnavailable("The file is locked."));
    expect([answer.status, codesOf(answer)]).toEqual([503, [50301]]);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(answer.text).not.toContain("locked");
  });

  test("is logged in one line without a stack while the database fails, and not at all once it is known to be away", async () => {
    const news = async (error: Error) => {
      plane.service.log.flush();
      const before = plane.logged.join("").length;
      await breakWith(error);
      plane.service.log.flush();
      const lines = plane.logged.join("").slice(before).split("\n").filter(Boolean);
      return lines.map((line) => JSON.parse(line)).filter(({ message }) => message !== "request");
    };
    expect(await news(new DatabaseUnavailable("It does not answer."))).toEqual([]);
    expect(await news(new DatabaseUnavailable("It does not answer.", { cause: new Error("read ECONNRESET") }))).toEqual(
      [
        {
          time: expect.any(String),
          level: "error",
          message: "The database failed a request.",
          request_id: expect.any(String),
          error: "It does not answer.",
          detail: "read ECONNRESET",
        },
      ],
    );
  });
});

describe("over a real connection", () => {
  let server: ReturnType<typeof listen>;
  beforeAll(() => {
    const app = createApp(plane.service);
    server = listen({
      host: "127.0.0.1",
      port: 0,
      answer: (request, connection) => app.fetch(request, connection),
    });
  });
  afterAll(() => server.stop());

  const send = (lines: string[]) =>
    new Promise<string>((resolve, reject) => {
      let received = "";
      const socket = connect(server.port, "127.0.0.1", () =>
        socket.write(`${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`),
      );
      socket.on("data", (data) => {
        received += data;
      });
      socket.on("close", () => resolve(received));
      socket.on("error", reject);
    });

  test("a header that was sent twice is refused", async () => {
    const authorization = `Authorization: Bearer ${plane.owner}`;
    const unit = `${unitHeaderName}: ${root}`;
    const twice = await send(["GET /tasks HTTP/1.1", "Host: localhost", authorization, authorization]);
    expect(twice).toStartWith("HTTP/1.1 400");
    expect(twice).toContain("40010");
    const units = await send(["GET /tasks HTTP/1.1", "Host: localhost", authorization, unit, unit]);
    expect(units).toStartWith("HTTP/1.1 400");
    expect(units).toContain("40010");
    expect(await send(["GET /tasks HTTP/1.1", "Host: localhost", authorization, unit])).toStartWith("HTTP/1.1 200");
  });

  test("an Accept header that was sent in two parts is one list", async () => {
    const answer = await send([
      "GET /users HTTP/1.1",
      "Host: localhost",
      `Authorization: Bearer ${plane.owner}`,
      "Accept: text/html",
      "Accept: application/api.svc.users=v1+json",
    ]);
    expect(answer).toStartWith("HTTP/1.1 200");
    expect(answer).toContain("application/api.svc.users=v1+json");
  });

  test.each([2_000_000, 20_000_000, 9_000_000_000])("a body of %i bytes is refused with the envelope", async (size) => {
    const answer = await send(["POST /tasks HTTP/1.1", "Host: localhost", `Content-Length: ${size}`]);
    expect(answer).toStartWith("HTTP/1.1 413");
    expect(answer).toContain('{"errors":[{"error_code":41301,');
  });

  test("a health check over HTTP/1.0 needs no Host", async () => {
    const answer = await send(["GET /readyz HTTP/1.0"]);
    expect(answer).toStartWith("HTTP/1.1 200");
    expect(answer).toEndWith('{"status":"ready"}');
  });

  test("an odd Host is refused with the envelope", async () => {
    const answer = await send(["GET /tasks HTTP/1.1", "Host: evil example"]);
    expect(answer).toStartWith("HTTP/1.1 400");
    expect(answer).toContain('{"errors":[{"error_code":400');
  });

  test("an address and headers that are too long are refused with the envelope", async () => {
    const address = await send([`GET /tasks?filter=${"a".repeat(33_000)} HTTP/1.1`, "Host: localhost"]);
    expect(address).toStartWith("HTTP/1.1 414");
    expect(address).toContain('{"errors":[{"error_code":41401');
    const headers = await send(["GET /tasks HTTP/1.1", "Host: localhost", `X-Long: ${"a".repeat(33_000)}`]);
    expect(headers).toStartWith("HTTP/1.1 431");
    expect(headers).toContain('{"errors":[{"error_code":43101');
  });

  test.each(METHODS.filter((method) => !["GET", "HEAD", "OPTIONS"].includes(method)))(
    "the method %s, which the runtime knows, is refused with the envelope",
    async (method) => {
      const answer = await send([`${method} /audit-events HTTP/1.1`, "Host: localhost"]);
      expect(answer).toStartWith("HTTP/1.1 405");
      expect(answer).toMatch(/^Allow: GET, HEAD, OPTIONS\r$/im);
      expect(answer).toEndWith(
        `{"errors":[{"error_code":40501,"error_message":"This path does not take ${method}. Use GET, HEAD."}]}`,
      );
    },
  );

  // Documented beside the errors: when one of these is answered by a newer runtime, the sentence there goes.
  test.each(["FOO", "BREW", "get", "Get", "PATCHES", "GE"])(
    "the method %s, which the runtime does not know, ends the connection without an answer",
    async (method) => {
      expect(await send([`${method} /tasks HTTP/1.1`, "Host: localhost"])).toBe("");
    },
  );

  test("a HEAD is answered without a body", async () => {
    const answer = await send(["HEAD /tasks HTTP/1.1", "Host: localhost", `Authorization: Bearer ${plane.owner}`]);
    expect(answer).toStartWith("HTTP/1.1 200");
    expect(answer).toEndWith("\r\n\r\n");
  });
});
