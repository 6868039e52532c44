import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Answered, openPlane, type Plane, unitHeaderName } from "../harness";

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
const vary = `Accept, Accept-Encoding, Authorization, ${unitHeaderName}`;
const seen = ({ status, headers, text }: Answered) => [status, headers.get("location"), headers.get("vary"), text];

let plane: Plane;
let token: string;
beforeAll(async () => {
  plane = await openPlane();
  token = (await plane.serviceToken("viewer")).token;
});
afterAll(() => plane.close());

describe("the base URL", () => {
  test("leads a browser to the console, whether or not it has a session", async () => {
    for (const headers of [{}, { Cookie: "holdfast_session=anything" }]) {
      expect(seen(await plane.ask("/", { accept: browser, headers }))).toEqual([303, "/console/", vary, ""]);
    }
    expect(seen(await plane.ask("/", { accept: browser, method: "HEAD" }))).toEqual([303, "/console/", vary, ""]);
  });

  test("keeps the path of a base URL that has one", async () => {
    const below = await openPlane({ base_url: "http://holdfast.test/backup" });
    expect((await below.ask("/", { accept: browser })).headers.get("location")).toBe("/backup/console/");
    await below.close();
  });

  test.each(["*/*", "application/json", "text/html, */*", undefined])(
    "is discovery to who accepts %p",
    async (accept) => {
      const asked = accept === undefined ? {} : { accept };
      expect((await plane.ask("/", { ...asked, token })).body.tasks.supported_versions).toEqual(["v1"]);
      const without = await plane.ask("/", asked);
      expect([without.status, without.body.errors[0].error_code]).toEqual([401, 40101]);
    },
  );

  test("is discovery to who sends a token, and 406 where that accepts pages alone", async () => {
    expect((await plane.ask("/", { accept: browser, token })).status).toBe(200);
    expect((await plane.ask("/", { accept: "text/html", token })).status).toBe(406);
    expect((await plane.ask("/", { accept: browser, token: "broken" })).status).toBe(401);
  });

  test("is the only path that leads a browser elsewhere", async () => {
    for (const path of ["/tasks", "/users", "/caller"]) {
      expect((await plane.ask(path, { accept: browser })).status).toBe(401);
    }
  });
});
