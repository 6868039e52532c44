import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { createApp } from "../src/http/app";
import { placeConsole, readBuiltConsole } from "../src/pages/console-files";
import { openPlane, type Plane } from "./harness";

const script = `console.log("${"a long script ".repeat(200)}");`;
const index = `<html><head><script type="module" src="./assets/index-abc.js"></script></head></html>`;

let plane: Plane;
let ask: (path: string, headers?: Record<string, string>, method?: string) => Promise<Response>;

async function appAt(baseUrl: string) {
  const built = await readBuiltConsole(plane.folder);
  const consoleFiles = placeConsole(built, { baseUrl, vendor: "svc", version: '1"<2' });
  const app = createApp({ ...plane.service, baseUrl, consoleFiles });
  return async (path: string, headers: Record<string, string> = {}, method = "GET") =>
    app.request(`http://localhost${path}`, { headers, method }, { peer: "" });
}

beforeAll(async () => {
  plane = await openPlane();
  mkdirSync(join(plane.folder, "assets"));
  writeFileSync(join(plane.folder, "index.html"), index);
  writeFileSync(join(plane.folder, "assets/index-abc.js"), script);
  writeFileSync(join(plane.folder, "assets/index-abc.js.gz"), gzipSync(`// packed by the build\n${script}`));
  ask = await appAt("http://holdfast.test");
});

afterAll(() => plane.close());

describe("the files of the console", () => {
  test("are its page at every path below /console/, which is asked for again each time and allows nothing from elsewhere", async () => {
    for (const path of [
      "/console/",
      "/console/tasks?outcome=error",
      "/console/tasks/0192-x",
      "/console/administration/users",
    ]) {
      const answer = await ask(path);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      expect(answer.headers.get("vary")).toBe("Accept-Encoding");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
      );
      expect(answer.headers.get("cross-origin-opener-policy")).toBeNull();
      expect(await answer.text()).toContain('src="/console/assets/index-abc.js"');
    }
  });

  test("begin at /console/, where /console leads", async () => {
    const answer = await ask("/console");
    expect([answer.status, answer.headers.get("location")]).toEqual([308, "/console/"]);
  });

  test("have a page that is not sent again to a browser that has it", async () => {
    const etag = (await ask("/console/")).headers.get("etag") ?? "";
    const again = await ask("/console/tasks", { "If-None-Match": etag });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
  });

  test("are kept for good where their name has a hash, and are 404 where they are gone, never the page", async () => {
    const answer = await ask("/console/assets/index-abc.js");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await answer.text()).toBe(script);
    for (const name of ["index-old.js", "../index.html", "%2e%2e/index.html", "", "index-abc.js.gz"]) {
      const missing = await ask(`/console/assets/${name}`);
      expect([name, missing.status === 200 && (await missing.text()).includes("a long script")]).toEqual([name, false]);
    }
    expect((await ask("/console/assets/index-old.js")).status).toBe(404);
  });

  test("come packed as the client takes it: by the build where that did it, else packed here", async () => {
    const packed = await ask("/console/assets/index-abc.js", { "Accept-Encoding": "gzip;q=1.0, br;q=0" });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(await packed.bytes()).toString()).toStartWith("// packed by the build");
    const smaller = await ask("/console/assets/index-abc.js", { "Accept-Encoding": "gzip, deflate, br" });
    expect(smaller.headers.get("content-encoding")).toBe("br");
    expect(brotliDecompressSync(await smaller.bytes()).toString()).toBe(script);
    const plain = await ask("/console/assets/index-abc.js", { "Accept-Encoding": "identity" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    const etag = plain.headers.get("etag");
    expect(etag).toMatch(/^"/);
    expect([packed, smaller].map(({ headers }) => headers.get("etag"))).toEqual([`W/${etag}`, `W/${etag}`]);
  });

  test("answer HEAD with the length, and no other method", async () => {
    const head = await ask("/console/assets/index-abc.js", {}, "HEAD");
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      String(script.length),
      "",
    ]);
    expect((await ask("/console/", {}, "POST")).status).toBe(405);
  });

  test("know a base URL with a path, and what the service is called; over https the page is alone in its window", async () => {
    const below = await appAt("https://example.org/holdfast/");
    const answer = await below("/console/");
    const text = await answer.text();
    expect(text).toContain('src="/holdfast/console/assets/index-abc.js"');
    expect(text).toContain('<meta name="holdfast-base-path" content="/holdfast">');
    expect(text).toContain('<meta name="holdfast-version" content="1&quot;&lt;2">');
    expect(answer.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect((await below("/console")).headers.get("location")).toBe("/holdfast/console/");
  });

  test("are not there where no console was built", async () => {
    expect((await plane.ask("/console/")).status).toBe(404);
  });
});
