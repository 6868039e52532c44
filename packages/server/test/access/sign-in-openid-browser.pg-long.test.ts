import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Answered, openPlane } from "../harness";
import { cookiesOf, type OpenIdPlane, openPlaneWithProvider, told } from "./openid-plane";
import { clientId, startProvider } from "./openid-provider";

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const ida = { sub: "ida", email: "ida@example.org", email_verified: true, groups: ["staff"] };
const stranger = { sub: "stranger", email: "stranger@example.org", email_verified: true, groups: [] };

let opened: OpenIdPlane;
beforeAll(async () => {
  opened = await openPlaneWithProvider({ oidc_group_roles: "staff=viewer", oidc_name: "Staff login" });
});
afterAll(() => opened.close());

const begin = (returnTo: string, accept = browser) =>
  opened.plane.ask(`/sign-in/oidc?return_to=${encodeURIComponent(returnTo)}`, { accept });

/** Comes back from the provider, in the browser that has begun. */
async function comeBack(begun: Answered, accept = browser): Promise<Answered> {
  const back = new URL(await opened.provider.visit(begun.headers.get("location") ?? ""));
  return opened.plane.ask(`${back.pathname}${back.search}`, { accept, headers: { Cookie: cookiesOf(begun) } });
}

const where = ({ status, headers }: Answered) => [status, headers.get("location")];

describe("signing in with OpenID Connect in a browser", () => {
  test.each([
    ["/console/", "/console/"],
    ["/console/tasks?outcome=error,lost&since=7d#b10", "/console/tasks?outcome=error,lost&since=7d#b10"],
    ["/console/entities/Zürich?q=a b", "/console/entities/Z%C3%BCrich?q=a%20b"],
    ["/console/a/../tasks", "/console/tasks"],
    [`/console/tasks?q=${"x".repeat(1980)}`, `/console/tasks?q=${"x".repeat(1980)}`],
  ])("leads to the page of the console that was asked for: %s", async (returnTo, reached) => {
    opened.provider.person = ida;
    const begun = await begin(returnTo);
    expect(begun.headers.get("location")).not.toContain("console");
    expect(begun.headers.getSetCookie().join().length).toBeLessThan(4096);
    const answered = await comeBack(begun);
    expect(where(answered)).toEqual([303, `http://holdfast.test${reached}`]);
    expect(told(answered)[2]).toEqual([expect.stringMatching(/^holdfast_session=[\w-]{43};/)]);
  });

  test("leads to the base URL where no page was asked for", async () => {
    opened.provider.person = ida;
    for (const path of ["/sign-in/oidc", "/sign-in/oidc?return_to=", "/sign-in/oidc?iss=https%3A%2F%2Flogin.example"]) {
      expect(where(await comeBack(await opened.plane.ask(path)))).toEqual([303, "http://holdfast.test/"]);
    }
  });

  test.each([
    "https://evil.example/console/",
    "//evil.example/console/",
    "/\\evil.example/console/",
    "/console",
    "/consoles/",
    "/Console/",
    "/",
    "/tasks",
    "console/",
    "@evil.example/console/",
    ".evil.example/console/",
    "/console/../tasks",
    "/console/%2e%2e/tasks",
    "/console/..\\tasks",
    "/console/\t../tasks",
    "/console/..",
    "/console/%2E%2E/%2e%2e//evil.example",
    `/console/${"x".repeat(2000)}`,
    `/console/${"ü".repeat(700)}`,
    "javascript:alert(1)",
  ])("is refused with 400 where it is to lead to %s, by a browser, too", async (returnTo) => {
    const { status, headers, body } = await begin(returnTo);
    expect([status, headers.getSetCookie(), body.errors]).toEqual([
      400,
      [],
      [
        {
          error_code: 40003,
          error_message:
            "The parameter return_to has to be a path below /console/, such as /console/tasks, of at most 2000 characters.",
          field: "return_to",
        },
      ],
    ]);
  });

  test("takes return_to once", async () => {
    const { status, body } = await opened.plane.ask("/sign-in/oidc?return_to=%2Fconsole%2F&return_to=%2Fconsole%2Fa");
    expect([status, body.errors[0].error_code]).toEqual([400, 40002]);
  });

  test("leads back to the sign-in page with the error where it has failed, and tells a program", async () => {
    opened.provider.person = stranger;
    const refused = await comeBack(await begin("/console/tasks"));
    expect(where(refused)).toEqual([303, "http://holdfast.test/console/sign-in?error=40107"]);
    expect([refused.text, told(refused)[2]]).toEqual(["", []]);
    expect(told(await comeBack(await begin("/console/tasks"), "*/*"))).toEqual([401, 40107, []]);
    const elsewhere = await opened.plane.ask("/sign-in/oidc/callback?code=made-up", { accept: browser });
    expect(where(elsewhere)).toEqual([303, "http://holdfast.test/console/sign-in?error=40108"]);
  });

  test("leads back to the sign-in page while the provider is away", async () => {
    const gone = await startProvider("http://holdfast.test/sign-in/oidc/callback");
    await gone.close();
    const lonely = await openPlane({
      base_url: "http://holdfast.test/backup",
      oidc_issuer: gone.issuer,
      oidc_client_id: clientId,
    });
    expect(where(await lonely.ask("/sign-in/oidc", { accept: browser }))).toEqual([
      303,
      "http://holdfast.test/backup/console/sign-in?error=50303",
    ]);
    await lonely.close();
  });

  test("is 404 to a browser, too, where no provider is set", async () => {
    const plain = await openPlane();
    expect((await plain.ask("/sign-in/oidc", { accept: browser })).status).toBe(404);
    await plain.close();
  });
});

describe("how people can sign in", () => {
  test("names the provider, and says whether there is an owner, without a token", async () => {
    const { plane } = opened;
    const options = { password: true, openid: { name: "Staff login", href: "/sign-in/oidc" }, has_owner: false };
    const before = await plane.ask("/sign-in-options");
    expect([before.status, before.body, before.headers.get("cache-control")]).toEqual([200, options, "no-store"]);
    await plane.addUser({ roles: [{ role: "owner" }] });
    for (const ask of [{}, { token: "broken" }, { accept: browser }]) {
      expect((await plane.ask("/sign-in-options", ask)).body).toEqual({ ...options, has_owner: true });
    }
    expect((await plane.ask("/sign-in-options?x=1")).status).toBe(400);
  });

  test("names the host of the provider where it has no name, and none where none is set", async () => {
    const named = await openPlane({ oidc_issuer: "https://login.example.org/realms/staff", oidc_client_id: "x" });
    expect((await named.ask("/sign-in-options")).body.openid.name).toBe("login.example.org");
    await named.close();
    const plain = await openPlane();
    expect((await plain.ask("/sign-in-options")).body.openid).toBeNull();
    await plain.close();
  });
});
