import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { createLink, invitationLife, invitationLink } from "../../src/access/one-time-links";
import type { Plane } from "../harness";
import { type ServerProcess, startProcess } from "../process";
import { startBrowser } from "../start-browser";
import { cookieName, password } from "./people";

const isUsed = "This link was used, has expired or does not exist. Ask for a new one.";
const isShort = "This has to be 12 characters or more.";

let server: ServerProcess;
let beside: Plane;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Complaints of the browser: a response that was refused, a refused script or style, an error that nobody caught. */
let complaints: string[];

beforeAll(async () => {
  server = await startProcess();
  beside = await server.openBeside();
  browser = await startBrowser();
}, 120_000);

afterAll(async () => {
  await browser.close();
  await server.stop();
  await beside.close();
});

beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
  complaints = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => {
    complaints.push(...(/^(error|warning)$/.test(message.type()) ? [message.text()] : []));
  });
});

afterEach(async () => {
  expect(complaints).toEqual([]);
  await context.close();
});

/** Expects the browser's own lines on answers that had to come, and nothing else. */
function expectOnly(pattern: RegExp): void {
  expect(complaints.filter((one) => !pattern.test(one))).toEqual([]);
  complaints.length = 0;
}

async function invite(email: string): Promise<string> {
  const id = await beside.addUser({ email, name: "Jo Doe", isConfirmed: false, roles: [{ role: "viewer" }] });
  const secret = await beside.database.change((db) => createLink(db, "invitation", id, Date.now(), invitationLife));
  return invitationLink(server.baseUrl, secret);
}

const heading = () => page.getByRole("heading").innerText();
const focused = () => page.evaluate<string>("document.activeElement.id || document.activeElement.textContent");

/** Where the browser is, and what it could go back to. */
const addresses = () => page.evaluate<[string, number]>("[location.href, history.length]");

async function send(button: string): Promise<void> {
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: button }).click();
  await (await answered).finished();
}

/** Who the browser is to the service, by its cookie. */
async function signedInAs(): Promise<unknown> {
  const { status, body } = await page.evaluate<{ status: number; body: { user?: { email: string } } }>(
    `fetch("/session").then(async (answer) => ({ status: answer.status, body: await answer.json() }))`,
  );
  return [status, body.user?.email];
}

describe("an invitation link", () => {
  test("leads to a page where a password is set, after a weak one was refused, and the person is signed in", async () => {
    await page.goto(await invite("jo@example.org"));
    // At once, not only once something was sent.
    expect(await addresses()).toEqual([`${server.baseUrl}/invitation`, 2]);
    expect(await heading()).toBe("Set your password");
    expect(await page.getByText("12 characters or more").isVisible()).toBe(true);

    await page.getByLabel("New password").fill("short");
    await send("Set password");
    const field = page.getByLabel("New password");
    await page.getByText(isShort).waitFor();
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await focused()).toBe("password");
    expectOnly(/status of 422/);

    await field.fill(password);
    await page.getByLabel("Your full name").fill("Joanna Doe");
    await send("Set password");
    await page.getByText("You are signed in as jo@example.org.").waitFor();
    expect([await heading(), await focused()]).toEqual(["Your password is set", "Your password is set"]);
    expect(await page.title()).toBe("Your password is set · Holdfast");
    expect(await field.isVisible()).toBe(false);
    expect(await signedInAs()).toEqual([200, "jo@example.org"]);
    expect((await addresses())[0]).toBe(`${server.baseUrl}/invitation`);
    const cookies = await context.cookies();
    expect(cookies.map(({ name, httpOnly }) => [name, httpOnly])).toEqual([[cookieName, true]]);
    const { token } = await beside.serviceToken("viewer");
    const { body } = await beside.ask("/users", { token });
    expect(body._embedded.items).toContainEqual(
      expect.objectContaining({ email: "jo@example.org", full_name: "Joanna Doe", is_confirmed: true }),
    );

    await page.getByRole("link", { name: "documentation of the API" }).click();
    await page.waitForURL(`${server.baseUrl}/docs`);
  });

  test("that was used says so in the service's own words, also when it is opened again in the same tab", async () => {
    const link = await invite("twice@example.org");
    const other = await context.newPage();
    await other.goto(link);
    await other.getByRole("heading", { name: "Set your password" }).waitFor();
    await page.goto(link);
    await page.getByLabel("New password").fill(password);
    await send("Set password");
    await page.getByRole("heading", { name: "Your password is set" }).waitFor();
    await page.goto(link);
    await page.getByRole("heading", { name: "This link cannot be used" }).waitFor();
    expect([await focused(), (await addresses())[0]]).toEqual([
      "This link cannot be used",
      `${server.baseUrl}/invitation`,
    ]);
    expect(await page.getByText(isUsed).isVisible()).toBe(true);
    expect([await page.getByRole("button").count(), await page.getByRole("textbox").count()]).toEqual([0, 0]);
    // A form that was there before says it, too.
    await other.getByLabel("New password").fill(password);
    await other.getByRole("button", { name: "Set password" }).click();
    await other.getByRole("heading", { name: "This link cannot be used" }).waitFor();
  });

  test("keeps the name that the person was invited with where none is typed, and can be used by keyboard alone", async () => {
    await page.goto(await invite("keys@example.org"));
    await page.getByRole("heading", { name: "Set your password" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("password");
    await page.keyboard.type(password);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    const field = page.getByLabel("New password");
    expect([await field.getAttribute("type"), await focused()]).toEqual(["text", "Hide"]);
    await page.keyboard.press("Space");
    expect([await field.getAttribute("type"), await focused()]).toEqual(["password", "Show"]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("You are signed in as keys@example.org.").waitFor();
    const { token } = await beside.serviceToken("viewer");
    const { body } = await beside.ask("/users", { token });
    expect(body._embedded.items).toContainEqual(
      expect.objectContaining({ email: "keys@example.org", full_name: "Jo Doe", is_confirmed: true }),
    );
  });

  test("is sent once, however often the button is pressed, and again where there was no answer", async () => {
    await page.goto(await invite("slow@example.org"));
    await page.getByRole("heading", { name: "Set your password" }).waitFor();
    const [sent, gate] = [{ count: 0 }, Promise.withResolvers<void>()];
    await page.route("**/invitation", async (route) => {
      sent.count += 1;
      await gate.promise;
      await route.abort();
    });
    await page.getByLabel("New password").fill(password);
    const button = page.getByRole("button", { name: "Set password" });
    await button.click();
    await page.getByText("One moment …").waitFor();
    expect(await button.isDisabled()).toBe(true);
    await page.getByLabel("New password").press("Enter");
    gate.resolve();
    await page.getByRole("alert").getByText("The service did not answer.").waitFor();
    expect([sent.count, await focused()]).toEqual([1, "refusal"]);
    expectOnly(/ERR_FAILED/);
    await page.unroute("**/invitation");
    await send("Set password");
    await page.getByText("You are signed in as slow@example.org.").waitFor();
  });

  test("without its secret is said not to be whole, and asks for nothing", async () => {
    for (const address of [`${server.baseUrl}/invitation`, `${server.baseUrl}/invitation#`]) {
      await page.goto(address);
      expect(await heading()).toBe("This link is not whole");
      expect(await page.getByRole("textbox").count()).toBe(0);
    }
    await page.goto(await invite("reloaded@example.org"));
    // Reloads the page in the same tab: it takes the secret out of the address in an event of its own.
    await page.getByRole("heading", { name: "Set your password" }).waitFor();
    await page.reload();
    expect(await heading()).toBe("This link is not whole");
  });

  test("says what to do where scripts are turned off, and shows no form that would do nothing", async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const shown = await plain.newPage();
    await shown.goto(await invite("plain@example.org"));
    expect(await shown.locator("body").innerText()).toMatch(
      /^Holdfast\s+Set your password\s+This page needs JavaScript[^\n]+Turn it on [^\n]+open the link again\.$/,
    );
    await plain.close();
  });
});

test("console 2: the link that the first start prints leads to a page that makes the first owner, and then to the console", async () => {
  const [, link = ""] = /Become the first owner: +(\S+) /.exec(server.printed()) ?? [];
  const become = "Become the owner";
  await page.goto(link);
  expect(await addresses()).toEqual([`${server.baseUrl}/first-owner`, 2]);
  expect(await heading()).toBe("Become the first owner");

  await page.getByLabel("E-mail address").fill("first");
  await page.getByLabel("New password").fill("short");
  await send(become);
  await page.getByText(isShort).waitFor();
  expect(await page.getByText("This has to be an e-mail address.").isVisible()).toBe(true);
  expect(await page.getByText("This has to be 1 to 200 characters").isVisible()).toBe(true);
  expect(await focused()).toBe("full_name");

  await page.getByLabel("Your full name").fill("First Owner");
  await beside.addUser({ email: "taken@example.org" });
  await page.getByLabel("E-mail address").fill("taken@example.org");
  await page.getByLabel("New password").fill(password);
  await send(become);
  await page.locator("#email-fault").getByText("There is a user with that address already. Use another one.").waitFor();
  expect([await focused(), await page.getByText(isShort).count()]).toEqual(["email", 0]);

  expectOnly(/status of 4(22|09)/);
  await page.getByLabel("E-mail address").fill("first@example.org");
  await send(become);
  await page.getByText("You are signed in as first@example.org.").waitFor();
  expect([await heading(), await focused()]).toEqual(["You are the owner", "You are the owner"]);
  expect(await signedInAs()).toEqual([200, "first@example.org"]);
  expect((await addresses())[0]).toBe(`${server.baseUrl}/first-owner`);
  await page.getByRole("link", { name: "Open the console" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

  await page.goto(link);
  await page.getByText(isUsed).waitFor();
  expect(await page.getByRole("textbox").count()).toBe(0);
  expect(await signedInAs()).toEqual([200, "first@example.org"]);
});
