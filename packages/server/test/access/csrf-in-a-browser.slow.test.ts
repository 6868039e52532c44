import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Plane } from "../harness";
import { type ServerProcess, startProcess } from "../process";
import { startBrowser } from "../start-browser";
import { addPerson, cookieName, password } from "./people";

/** Attacks of other sites on whoever opens their pages. */
const attackerPage = `<!doctype html><title>Holiday pictures</title><body><script>
function submitForm(action, enctype, fields) {
  const form = Object.assign(document.createElement("form"), { method: "POST", action, enctype });
  const inputs = Object.entries(fields).map(([name, value]) =>
    Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  form.append(...inputs);
  document.body.append(form);
  form.submit();
}
const send = (url, init) =>
  fetch(url, { credentials: "include", ...init }).then(({ type }) => type, () => "failed");
const loadImage = (src) => new Promise((resolve) => {
  Object.assign(new Image(), { onload: () => resolve("loaded"), onerror: () => resolve("failed"), src });
});
</script>`;

const bodies: Record<string, Record<string, string>> = {
  "/organizational-units": { name: "Forged" },
  "/users": { email: "forged@example.org", full_name: "Forged" },
  "/api-tokens": { name: "Forged", kind: "personal" },
  // Whoever is made to sign in as somebody else tells them what they do.
  "/session": { email: "mallory@example.org", password },
};
const paths = Object.keys(bodies);

let server: ServerProcess;
let beside: Plane;
let attacker: Bun.Server<undefined>;
let browser: Browser;
let context: BrowserContext;
let own: Page;
let csrf: string;
let sessionHash: string;

beforeAll(async () => {
  server = await startProcess();
  beside = await server.openBeside();
  await addPerson(beside, { email: "maria@example.org", roles: [{ role: "owner" }] });
  await addPerson(beside, { email: "mallory@example.org", roles: [{ role: "owner" }] });
  attacker = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) =>
      new Response(attackerPage, {
        headers: {
          "Content-Type": "text/html",
          "Referrer-Policy": new URL(url).pathname === "/silent" ? "no-referrer" : "unsafe-url",
        },
      }),
  });
  browser = await startBrowser();
  // Our pages have no scripts yet and forbid them; what the test runs in them stands for a page that has.
  context = await browser.newContext({ bypassCSP: true });
  own = await context.newPage();
  await own.goto(`${server.baseUrl}/docs`);
  const signedIn = await askFromOwnPage("POST", "/session", { email: "maria@example.org", password });
  expect(signedIn.status).toBe(201);
  csrf = signedIn.body.csrf_token;
  const [session] = (await state()).sessions;
  sessionHash = session?.hash ?? "";
}, 120_000);

afterAll(async () => {
  await browser.close();
  await attacker.stop(true);
  await server.stop();
  await beside.close();
});

/** Asks as a page of our own does. */
function askFromOwnPage(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const sent = body === undefined ? {} : { "Content-Type": "application/json" };
  const init = { method, headers: { ...sent, ...headers }, body: JSON.stringify(body) };
  return own.evaluate<{ status: number; body: { csrf_token: string } }>(
    `fetch(${JSON.stringify(path)}, ${JSON.stringify(init)}).then(async (answer) =>
      ({ status: answer.status, body: await answer.json() }))`,
  );
}

/** Everything that a forgery could have changed. */
function state() {
  return beside.database.snapshot(async (db) => ({
    units: await db.selectFrom("organizational_units").select(["id", "name"]).orderBy("id").execute(),
    users: await db.selectFrom("users").select(["id", "email", "password_hash", "sealed_totp_secret"]).execute(),
    tokens: await db.selectFrom("api_tokens").select(["id", "name", "revoked_at"]).orderBy("id").execute(),
    sessions: await db.selectFrom("sessions").select("hash").orderBy("hash").execute(),
    done: (await db.selectFrom("audit_events").select("document").orderBy("number").execute())
      .map(({ document }) => JSON.parse(document))
      .filter(({ result }) => result === "done")
      .map(({ operation }) => operation),
  }));
}

let marks = 0;

/** The requests that have arrived while something was done, as the server's own log tells of them. */
async function arrivedDuring(act: () => Promise<unknown>): Promise<string[]> {
  const from = await mark();
  await act();
  const until = await mark();
  return requests()
    .slice(from + 1, until)
    .map(({ method, path, status, caller }) => `${method} ${path} ${status}${caller === undefined ? "" : " as Maria"}`);
}

/** Asks for what is not there, and gives where that stands in the log once it does. */
async function mark(): Promise<number> {
  marks += 1;
  const path = `/mark-${marks}`;
  await server.ask(path);
  for (;;) {
    const index = requests().findIndex((request) => request.path === path);
    if (index >= 0) return index;
    await Bun.sleep(20);
  }
}

function requests(): { method: string; path: string; status: number; caller?: string }[] {
  return (
    server
      .printed()
      .split("\n")
      // The last one may not have come whole yet.
      .slice(0, -1)
      .filter((line) => line.includes('"message":"request"'))
      .map((line) => JSON.parse(line))
  );
}

const call = (name: string, ...given: unknown[]) => `${name}(${given.map((one) => JSON.stringify(one)).join(", ")})`;

const lures = [
  "/session",
  "/session?_method=DELETE",
  "/sessions",
  "/api-tokens?name=Forged",
  "/organizational-units?name=Forged",
];
/** Results of the attacks if the browser sends the cookie, and if it does not. */
const readAsMaria = [
  "GET /session 200 as Maria",
  "GET /session 400",
  "GET /sessions 200 as Maria",
  "GET /api-tokens 400 as Maria",
  "GET /organizational-units 400 as Maria",
];
const readAsNobody = readAsMaria.map((line) => line.replace(/\d+ as Maria/, "401"));

const sites = [
  // The browser keeps the cookie from another site's requests, but for a link that somebody follows.
  { from: "another site", host: "localhost", refused: "401", images: readAsNobody },
  // To a browser another port is the same site, so it sends the cookie.
  { from: "another port", host: "127.0.0.1", refused: "403 as Maria", images: readAsMaria },
].flatMap((site) => [
  { ...site, page: "/" },
  { ...site, from: `${site.from} that hides its origin`, page: "/silent" },
]);

describe.each(sites)(
  "T22: a page of $from changes nothing in a signed-in browser",
  ({ host, page, refused, images }) => {
    let foreign: Page;
    let before: Awaited<ReturnType<typeof state>>;
    const open = () => foreign.goto(`http://${host}:${attacker.port}${page}`);
    /** Signing in is refused to other origins before anybody looks at a cookie. */
    const refusals = paths.map((path) => `POST ${path} ${path === "/session" ? "403" : refused}`);
    beforeAll(async () => {
      before = await state();
      foreign = await context.newPage();
    });
    afterAll(() => foreign.close());

    async function expectNothingChanged(): Promise<void> {
      expect(await state()).toEqual(before);
      expect(before.sessions).toEqual([{ hash: sessionHash }]);
      expect((await askFromOwnPage("GET", "/session")).status).toBe(200);
    }

    async function submit(path: string, enctype: string, fields: Record<string, string>): Promise<void> {
      await open();
      await foreign.evaluate(call("submitForm", `${server.baseUrl}${path}`, enctype, fields));
      await foreign.waitForURL(`${server.baseUrl}${path}`);
    }

    /** Sends every body and gives what the page itself has learned. */
    async function sendAll(mode: string, type: string): Promise<string[]> {
      const learned: string[] = [];
      await open();
      for (const path of paths) {
        const init = { method: "POST", mode, headers: { "Content-Type": type }, body: JSON.stringify(bodies[path]) };
        learned.push(await foreign.evaluate<string>(call("send", `${server.baseUrl}${path}`, init)));
      }
      return learned;
    }

    test("with a form", async () => {
      const arrived = await arrivedDuring(async () => {
        for (const path of paths) await submit(path, "application/x-www-form-urlencoded", bodies[path] ?? {});
      });
      expect(arrived).toEqual(refusals);
      await expectNothingChanged();
    });

    test("with a form whose plain text is JSON", async () => {
      const arrived = await arrivedDuring(async () => {
        for (const path of paths) {
          // A name, a "=" and a value: {"name":"Forged","padding":"="}
          const name = `${JSON.stringify(bodies[path]).slice(0, -1)},"padding":"`;
          await submit(path, "text/plain", { [name]: '"}' });
        }
      });
      expect(arrived).toEqual(refusals);
      await expectNothingChanged();
    });

    test.each(["text/plain", "application/json"])("with a fetch of %s whose answer it does not want", async (type) => {
      const arrived = await arrivedDuring(async () => {
        expect(await sendAll("no-cors", type)).toEqual(paths.map(() => expect.stringMatching(/^(opaque|failed)$/)));
      });
      expect(arrived).toEqual(refusals);
      await expectNothingChanged();
    });

    test("with a fetch of plain text, whose answer it cannot read", async () => {
      const arrived = await arrivedDuring(async () => {
        expect(await sendAll("cors", "text/plain")).toEqual(paths.map(() => "failed"));
      });
      expect(arrived).toEqual(refusals);
      await expectNothingChanged();
    });

    test("with a fetch of JSON, which the browser asks us about and does not send", async () => {
      const arrived = await arrivedDuring(async () => {
        expect(await sendAll("cors", "application/json")).toEqual(paths.map(() => "failed"));
      });
      expect(arrived).toEqual(paths.map((path) => `OPTIONS ${path} 204`));
      await expectNothingChanged();
    });

    test("by ending sessions", async () => {
      const arrived = await arrivedDuring(async () => {
        await open();
        for (const path of ["/session", "/sessions"]) {
          for (const mode of ["cors", "no-cors"]) {
            const sent = call("send", `${server.baseUrl}${path}`, { method: "DELETE", mode });
            expect(await foreign.evaluate<string>(sent)).toBe("failed");
          }
        }
      });
      expect(arrived).toEqual(["OPTIONS /session 204", "OPTIONS /sessions 204"]);
      await expectNothingChanged();
    });

    test("with an image", async () => {
      const arrived = await arrivedDuring(async () => {
        await open();
        for (const lure of lures) {
          expect(await foreign.evaluate<string>(call("loadImage", `${server.baseUrl}${lure}`))).toBe("failed");
        }
      });
      expect(arrived).toEqual(images);
      await expectNothingChanged();
    });

    test("with a link", async () => {
      const arrived = await arrivedDuring(async () => {
        for (const lure of lures) {
          await open();
          await foreign.evaluate(call("location.assign", `${server.baseUrl}${lure}`));
          await foreign.waitForURL((url) => url.href === `${server.baseUrl}${lure}`);
        }
      });
      expect(arrived).toEqual(readAsMaria);
      await expectNothingChanged();
    });
  },
);

describe("T22: a page of our own", () => {
  test("cannot read the cookie, which the browser keeps to the site", async () => {
    expect(await own.evaluate<string>("document.cookie")).toBe("");
    const cookies = await context.cookies(server.baseUrl);
    expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
      { name: cookieName, httpOnly: true, sameSite: "Lax" },
    ]);
  });

  test("changes what it likes with the CSRF token, and nothing without", async () => {
    const before = await state();
    const body = { name: "Branch" };
    expect((await askFromOwnPage("POST", "/organizational-units", body)).status).toBe(403);
    expect(await state()).toEqual(before);
    const created = await askFromOwnPage("POST", "/organizational-units", body, { "X-CSRF-Token": csrf });
    expect(created.status).toBe(201);
    const after = await state();
    expect(after.units.map(({ name }) => name)).toContain("Branch");
    expect(after.done).toEqual([...before.done, "create-organizational-unit"]);
  });
});
