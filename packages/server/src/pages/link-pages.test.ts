import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { sessionBodies } from "@holdfast/api/session/session-paths";
import { openPlane, type Plane } from "../../test/harness";

let plane: Plane;
beforeAll(async () => {
  plane = await openPlane();
});
afterAll(() => plane.close());

const pages = [
  { path: "/invitation", body: sessionBodies["accept-invitation"], title: "Set your password" },
  { path: "/first-owner", body: sessionBodies["create-first-owner"], title: "Become the first owner" },
];

/** Content between two tags of a page, which may be there once. */
function contentOf(page: string, tag: string): string {
  const found = [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "g"))].map((match) => match[1] ?? "");
  expect(found.length).toBe(1);
  return found[0] ?? "";
}

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

describe.each(pages)("the page at $path", ({ path, body, title }) => {
  test("is HTML that nobody keeps, whatever is accepted and whoever asks", async () => {
    for (const ask of [{}, { accept: "application/json" }, { token: "broken" }]) {
      const { status, headers, text } = await plane.ask(path, ask);
      expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect([headers.get("cache-control"), headers.get("referrer-policy")]).toEqual(["no-store", "no-referrer"]);
      expect(text).toStartWith('<!doctype html>\n<html lang="en">');
      expect(contentOf(text, "title")).toBe(`${title} · Holdfast`);
    }
  });

  test("may run and look like what stands in it, and nothing else (T23)", async () => {
    const { headers, text } = await plane.ask(path);
    expect(headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      `style-src ${hashOf(contentOf(text, "style"))}`,
      `script-src ${hashOf(contentOf(text, "script"))}`,
      "connect-src 'self'",
      "img-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    const withoutIcon = text.replace('<link rel="icon" type="image/svg+xml" href="favicon.svg">', "");
    expect(withoutIcon).not.toMatch(
      /<link|<img|<iframe|@import|url\(|\son[a-z]+=|\sstyle=|\ssrc=|innerHTML|insertAdjacent/i,
    );
    expect([...text.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual(["favicon.svg", "console/", "docs"]);
  });

  test("asks for what its POST takes, each with a label, and says beforehand how long a password has to be", async () => {
    const { text } = await plane.ask(path);
    const names = [...text.matchAll(/<input id="(\w+)" name="(\w+)"/g)].map(([, id = "", name]) => [id, name]);
    const wanted = Object.keys(body.shape).filter((name) => name !== "secret");
    expect(names.map(([id]) => id ?? "").sort()).toEqual(wanted.sort());
    expect(names.every(([id, name]) => id === name && text.includes(`<label for="${id}">`))).toBe(true);
    expect(text).toMatch(/<p id="password-hint" class="hint">12 characters or more/);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    const references = [...text.matchAll(/aria-(?:describedby|controls)="([^"]+)"/g)].flatMap(([, list = ""]) =>
      list.split(" "),
    );
    expect(references.filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.length).toBe(new Set(ids).size);
  });

  test("stands beside its POST: HEAD and OPTIONS are answered, other methods are not", async () => {
    const [get, head] = [await plane.ask(path), await plane.ask(path, { method: "HEAD" })];
    expect([head.status, head.text, head.headers.get("content-length")]).toEqual([
      200,
      "",
      String(Buffer.byteLength(get.text)),
    ]);
    expect(head.headers.get("content-security-policy")).toBe(get.headers.get("content-security-policy"));
    const options = await plane.ask(path, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, POST, OPTIONS"]);
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const refused = await plane.ask(path, { method });
      expect([refused.status, refused.headers.get("allow"), refused.body]).toEqual([
        405,
        "GET, HEAD, POST, OPTIONS",
        { errors: [{ error_code: 40501, error_message: `This path does not take ${method}. Use GET, HEAD, POST.` }] },
      ]);
    }
    const person = { email: "a@example.org", full_name: "A", password: "tractor sails violet noon" };
    const wanted = Object.entries(person).filter(([name]) => name in body.shape);
    const sent = { secret: "made up", ...Object.fromEntries(wanted) };
    const post = await plane.ask(path, { method: "POST", body: sent });
    expect([post.status, post.body.errors[0].error_code]).toEqual([400, 40017]);
  });
});
