import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { addPerson, password } from "../../server/test/access/people";
import { type ConsoleWorld, openConsole, type Visit } from "./open-console";

const owner = { email: "owner@example.org", name: "Olga Owner", roles: [{ role: "owner" as const }] };
const viewer = { email: "viewer@example.org", name: "Vera Viewer", roles: [{ role: "viewer" as const }] };

let world: ConsoleWorld;
let ownerToken: string;
let visits: Visit[] = [];

beforeAll(async () => {
  world = await openConsole();
  ownerToken = (await world.beside.serviceToken("owner")).token;
}, 60_000);

afterAll(() => world.close());

afterEach(async () => {
  const complaints = visits.flatMap((visit) => visit.complaints);
  const outside = visits.flatMap(({ requests }) => requests.filter((one) => !one.includes(world.service.baseUrl)));
  await Promise.all(visits.map(({ context }) => context.close()));
  visits = [];
  expect({ complaints, outside }).toEqual({ complaints: [], outside: [] });
});

async function open(path: string, person: Parameters<ConsoleWorld["open"]>[1]): Promise<Visit> {
  const visit = await world.open(path, person);
  visits.push(visit);
  return visit;
}

/** The one-time code of a secret, as an authenticator app shows it so many half minutes from now. */
function codeOf(secret: string, halfMinutes: number): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret.replace(/[^A-Z2-7]/g, "")].map((one) => letters.indexOf(one).toString(2).padStart(5, "0"));
  const bytes = (bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + halfMinutes));
  const mac = createHmac("sha1", Buffer.from(bytes)).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const rows = (page: Page, table: string) => page.getByRole("table", { name: table }).locator("tbody tr");

/** Asks the API as an owner does. */
async function ask(path: string, body?: unknown, method = body === undefined ? "GET" : "POST") {
  return (await world.service.ask(path, { token: ownerToken, method, ...(body === undefined ? {} : { body }) })).body;
}

async function totalOf(filter: object, unit?: string): Promise<number> {
  const query = `/tasks?limit=1&filter=${encodeURIComponent(JSON.stringify(filter))}`;
  const { body } = await world.service.ask(query, { token: ownerToken, ...(unit === undefined ? {} : { unit }) });
  return body.total_count;
}

describe("signing in", () => {
  test("a visitor lands on the sign-in page, is refused with one sentence, and comes to the very address that was opened", async () => {
    await addPerson(world.beside, { email: "deep@example.org", name: "Dee Link" });
    const context = await world.browser.newContext();
    const page = await context.newPage();
    await page.goto(world.service.baseUrl);
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/sign-in");
    await page.goto(`${world.service.baseUrl}/console/tasks?outcome=error,lost&since=30d`);
    await page.getByLabel("E-mail address").fill("deep@example.org");
    await page.getByLabel("Password", { exact: true }).fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").filter({ hasText: "wrong" }).waitFor();
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
    expect(new URL(page.url()).search).toBe("?outcome=error,lost&since=30d");

    const other = await context.newPage();
    await other.goto(`${world.service.baseUrl}/console/`);
    await other.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.getByRole("button", { name: "Account: Dee Link" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await other.getByRole("heading", { level: 1, name: "Sign in" }).waitFor({ timeout: 2_000 });
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await context.close();
  });

  test("a form that is saved after the session ended is saved, as typed, once the person has signed in again", async () => {
    const { page, context, complaints } = await open("/account/profile", {
      ...viewer,
      email: "again@example.org",
      name: "Ann Before",
    });
    await page.getByLabel("Full name").fill("Ann After");
    const [cookie] = await context.cookies();
    await world.beside.database.change((db) =>
      db
        .deleteFrom("sessions")
        .where("user_id", "in", db.selectFrom("users").select("id").where("email", "=", "again@example.org"))
        .execute(),
    );
    expect(cookie?.httpOnly).toBe(true);
    await page.getByRole("button", { name: "Save changes" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Password", { exact: true }).fill(password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Saved.").waitFor();
    await page.getByRole("button", { name: "Account: Ann After" }).waitFor();
    // The browser's own lines on the answers 401 and 403 that had to come.
    expect(complaints.filter((one) => !/status of 40[13]/.test(one))).toEqual([]);
    complaints.length = 0;
  });
});

describe("one's own account", () => {
  test("one-time codes are turned on with the text secret, asked for at the next sign-in, and a session is ended elsewhere", async () => {
    const person = { ...viewer, email: "codes@example.org", name: "Cora Codes" };
    const { page, complaints } = await open("/account/security", person);
    await page.getByRole("button", { name: "Turn on one-time codes" }).click();
    const dialog = page.getByRole("dialog", { name: "Turn on one-time codes" });
    await dialog.getByLabel("Current password").fill(password);
    await dialog.getByRole("button", { name: "Continue" }).click();
    const secret = await dialog.getByRole("textbox", { name: "Secret" }).inputValue();
    await dialog.getByRole("textbox", { name: "Code" }).fill(codeOf(secret, -1));
    await dialog.getByRole("button", { name: "Confirm code" }).click();
    const codes = page.getByRole("dialog", { name: "Recovery codes" });
    await codes.waitFor();
    expect(await codes.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").count()).toBe(10);
    await codes.getByRole("checkbox", { name: "I have stored these codes" }).check();
    await codes.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Turn off one-time codes" }).waitFor();

    const other = await world.browser.newContext();
    const elsewhere = await other.newPage();
    await elsewhere.goto(`${world.service.baseUrl}/console/sign-in`);
    await elsewhere.getByLabel("E-mail address").fill("codes@example.org");
    await elsewhere.getByLabel("Password", { exact: true }).fill(password);
    await elsewhere.getByRole("button", { name: "Sign in" }).click();
    const code = elsewhere.getByRole("textbox", { name: "One-time code" });
    await code.fill("000000");
    await elsewhere.getByRole("button", { name: "Sign in" }).click();
    await elsewhere.getByRole("alert").waitFor();
    await code.fill(codeOf(secret, 0));
    await elsewhere.getByRole("button", { name: "Sign in" }).click();
    await elsewhere.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

    await page.getByRole("link", { name: "Sessions" }).click();
    await page.getByRole("table", { name: "Sessions" }).getByText("This session").waitFor();
    await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
    await page.getByRole("button", { name: "Sign out", exact: true }).first().waitFor({ state: "detached" });
    await elsewhere.getByRole("link", { name: "Users" }).click();
    await elsewhere.getByRole("dialog", { name: "Sign in again" }).waitFor();
    await other.close();
    expect(complaints).toEqual([]);
  });
});

describe("the shell", () => {
  test("shows a viewer what a viewer may open, and an owner everything", async () => {
    const names = (page: Page) => page.getByRole("navigation", { name: "Main" }).getByRole("link").allInnerTexts();
    const { page } = await open("/", viewer);
    await heading(page).waitFor();
    expect(await names(page)).toEqual([
      "Overview",
      "Tasks",
      "Protected items",
      "Monitors",
      "Users",
      "Roles",
      "Organizational units",
    ]);
    const mighty = await open("/", owner);
    await heading(mighty.page).waitFor();
    expect(await names(mighty.page)).toEqual([
      "Overview",
      "Tasks",
      "Protected items",
      "Monitors",
      "Users",
      "Roles",
      "Organizational units",
      "API tokens",
      "Audit trail",
      "Signing keys",
    ]);
    await page.goto(`${world.service.baseUrl}/console/administration/audit`);
    await page.getByText("audit-events:read").waitFor();
  });

  test("switches the unit in the address, for this tab alone, and offers none that the person holds no role in", async () => {
    const { page, context } = await open("/tasks", owner);
    const second = await context.newPage();
    await second.goto(`${world.service.baseUrl}/console/tasks`);
    await page.getByRole("button", { name: "Organizational unit: Root" }).click();
    const dialog = page.getByRole("dialog", { name: "Switch organizational unit" });
    await dialog.getByRole("searchbox", { name: "Find a unit" }).fill("Hamburg");
    await dialog.getByRole("treeitem", { name: "Hamburg" }).click();
    await page.getByRole("button", { name: "Organizational unit: Hamburg" }).waitFor();
    const unit = new URL(page.url()).searchParams.get("unit") ?? "";
    const total = await totalOf({}, unit);
    await page.getByRole("navigation", { name: "Pages" }).getByText(`${total} tasks`).waitFor();
    expect(await second.getByRole("button", { name: "Organizational unit: Root" }).isVisible()).toBe(true);

    const narrow = await open("/", {
      email: "hamburg@example.org",
      name: "Hanna",
      roles: [{ role: "admin", unitId: unit }],
    });
    await narrow.page.getByRole("button", { name: "Organizational unit: Hamburg" }).click();
    const tree = narrow.page.getByRole("tree", { name: "Organizational units" });
    await tree.getByRole("treeitem", { name: "Operations" }).waitFor();
    expect(await tree.getByRole("treeitem").first().innerText()).toBe("Hamburg");
    expect(await tree.getByRole("treeitem", { name: /Root|Europe|Lyon/ }).count()).toBe(0);
  });

  test("keeps the rows and says so while the service is away, and continues when it is back", async () => {
    const { page, complaints } = await open("/tasks", owner);
    await rows(page, "Tasks").first().waitFor();
    const away = (url: URL) => ["/users", "/readyz"].includes(url.pathname);
    await page.route(away, (route) => route.abort());
    await page.getByRole("link", { name: "Users" }).click();
    await page.getByRole("alert").filter({ hasText: "Holdfast does not answer" }).first().waitFor();
    await page.getByRole("link", { name: "Tasks", exact: true }).click();
    expect(await rows(page, "Tasks").count()).toBe(50);
    await page.unroute(away);
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("Holdfast does not answer").waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "Users" }).click();
    await rows(page, "Users").first().waitFor();
    expect(complaints.filter((one) => !/ERR_FAILED/.test(one))).toEqual([]);
    complaints.length = 0;
  });
});

describe("tasks", () => {
  test("are searched and filtered in the address: Back undoes a filter, and another person sees the same", async () => {
    const { page } = await open("/tasks", viewer);
    await page.getByRole("button", { name: "Add filter" }).click();
    await page.getByRole("menuitem", { name: "Outcome" }).click();
    await page.getByRole("option", { name: "Error" }).click();
    await page.getByRole("option", { name: "Lost" }).click();
    await page.keyboard.press("Escape");
    const chip = page.getByRole("button", { name: "Remove filter: Outcome is Error, Lost" });
    await chip.waitFor();
    expect(new URL(page.url()).search).toBe("?outcome=error,lost");
    const total = await totalOf({ outcome: { $in: ["error", "lost"] } });
    await page.getByRole("navigation", { name: "Pages" }).getByText(`${total} tasks`).waitFor();
    const shared = await open("/tasks?outcome=error,lost", owner);
    await shared.page.getByRole("button", { name: "Remove filter: Outcome is Error, Lost" }).waitFor();
    await rows(shared.page, "Tasks").first().waitFor();
    expect(await shared.page.locator("tbody a").allInnerTexts()).toEqual(await page.locator("tbody a").allInnerTexts());
    await page.goBack();
    await chip.waitFor({ state: "hidden" });

    await world.beside.addTasks([{ primary_entity: { type: "host", id: "f", value: "=1+1" } }]);
    await page.getByRole("searchbox", { name: "Search by name" }).fill("=1+");
    await page.getByRole("navigation", { name: "Pages" }).getByText("1 task", { exact: false }).waitFor();
    await page.waitForURL(/q=/);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download CSV" }).click();
    expect(readFileSync(await (await downloading).path(), "utf8")).toContain(",'=1+1,");

    await page.getByRole("searchbox", { name: "Search by name" }).fill("no such thing");
    await page.getByText("No task matches").waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("no such thing");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await rows(page, "Tasks").first().waitFor();
  });

  test("are walked page by page, with few requests, to the last one and back", async () => {
    const { page, requests } = await open("/tasks?size=25", viewer);
    const pager = page.getByRole("navigation", { name: "Pages" });
    const answered = page.waitForResponse((response) => response.url().includes("start="));
    const watched = page.waitForRequest((request) => request.url().includes("/task-events"));
    await pager.getByRole("link", { name: "Last page" }).click();
    const last = Math.ceil((await totalOf({})) / 25);
    const field = pager.getByRole("textbox", { name: "Page" });
    await page.waitForURL(/page=/);
    expect(await field.inputValue()).toBe(String(last));
    await answered;
    await watched;
    const before = requests.length;
    await pager.getByRole("link", { name: "Previous page" }).click();
    await page.waitForURL((url) => url.searchParams.get("page") === String(last - 1));
    await rows(page, "Tasks").nth(24).waitFor();
    expect(await field.inputValue()).toBe(String(last - 1));
    expect(requests.slice(before).filter((one) => !one.includes("/assets/")).length).toBeLessThanOrEqual(2);
  });

  test("change in place while they run: new ones wait behind a button, and no row moves", async () => {
    const { token } = await world.beside.serviceToken("operator");
    const report = async (path: string, body: object, method = "POST") =>
      (await world.service.ask(path, { token, method, body })).body;
    const entity = { type: "host", value: "live-01" };
    const { id } = await report("/tasks", {
      category: "backup",
      type: "restic_backup",
      primary_entity: entity,
      can_abort: true,
    });
    const { page } = await open("/tasks", viewer);
    const first = rows(page, "Tasks").first();
    await first.getByText("live-01").waitFor();
    await page.locator('[data-stream="open"]').waitFor();
    expect(await first.getByRole("progressbar", { name: "Progress" }).getAttribute("aria-valuenow")).toBeNull();
    await first.getByText("running for").waitFor();
    await report(`/tasks/${id}`, { progress_percentage: 62, progress_message: "packing" }, "PATCH");
    await report("/tasks", {
      category: "backup",
      type: "tar_create",
      status: "completed",
      primary_entity: { type: "host", value: "new-02" },
    });
    await first.locator('[aria-valuenow="62"]').waitFor();
    const button = page.getByRole("button", { name: "Show 1 new task" });
    await button.waitFor();
    expect(await first.getByRole("link").innerText()).toBe("live-01");
    await button.click();
    await first.getByText("new-02").waitFor();

    await page.getByRole("link", { name: "live-01" }).click();
    const abort = page.getByRole("button", { name: "Abort task" });
    await abort.waitFor();
    expect(await abort.isDisabled()).toBe(true);
    expect(await page.locator("#abort-reason").textContent()).toContain("tasks:abort");
    const operator = await open(`/tasks/${id}`, {
      email: "op@example.org",
      name: "Otto",
      roles: [{ role: "operator" }],
    });
    await operator.page.getByRole("button", { name: "Abort task" }).click();
    const dialog = operator.page.getByRole("dialog", { name: "Abort this task?" });
    await dialog.getByRole("button", { name: "Abort task" }).click();
    await operator.page.getByRole("status", { name: "State" }).getByText("Aborting").waitFor();
    await report(`/tasks/${id}`, { status: "aborted" }, "PATCH");
    await page.getByRole("status", { name: "State" }).getByText("Cancelled").waitFor();
  });

  test("that failed say what went wrong and what to do, with the log, which can be downloaded", async () => {
    const token = (await world.beside.serviceToken("reporter")).token;
    const error = {
      code: "repository_locked",
      message: "The repository is already locked by \u202eevil <b>x</b>",
      remedy: "Wait for the other run.",
    };
    const text = `${Array.from({ length: 300 }, (_, at) => `line ${at + 1}`).join("\n")}\nthe last line\n`;
    const { body } = await world.service.ask("/tasks", {
      token,
      method: "POST",
      body: { category: "backup", type: "restic_backup", status: "failed", error, log: { offset: 0, text } },
    });
    const { page } = await open(`/tasks/${body.id}`, viewer);
    const region = page.getByRole("region", { name: "What went wrong" });
    await region.getByText("already locked by \\u202eevil <b>x</b>").waitFor();
    await region.getByText("Wait for the other run.").waitFor();
    expect(await region.getByText("repository_locked").count()).toBe(1);
    const log = page.getByRole("log", { name: "Task log" });
    await log.getByText("the last line").waitFor();
    const follow = page.getByRole("switch", { name: "Follow" });
    expect(await follow.isChecked()).toBe(true);
    await page.evaluate("document.querySelector('[role=log]').scrollTo(0, 0)");
    await page.getByRole("button", { name: "Jump to newest" }).waitFor();
    expect(await follow.isChecked()).toBe(false);
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download log" }).click();
    expect((await downloading).suggestedFilename()).toBe(`task-${body.id}.log`);
    await page.goto(`${world.service.baseUrl}/console/tasks/0192f3a0-0000-7000-8000-000000000000`);
    await page.getByRole("heading", { level: 1, name: "Not there, or not yours" }).waitFor();
    visits[0]?.complaints.splice(0);
  });

  test("of the overview are counted: each part of a column leads to exactly the tasks that it counts", async () => {
    const { page } = await open("/", viewer);
    const figure = page.getByRole("figure", { name: "Tasks of the last 30 days by outcome" });
    const part = figure
      .locator("svg a")
      .filter({ has: page.locator(".fill-error") })
      .first();
    const [, count = ""] = /: ([\d,]+) error/.exec((await part.getAttribute("aria-label")) ?? "") ?? [];
    await part.click();
    await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
    expect(new URL(page.url()).searchParams.get("outcome")).toBe("error,lost");
    await page
      .getByRole("navigation", { name: "Pages" })
      .getByText(new RegExp(`· ${count} tasks?$`))
      .waitFor();
    await page.goBack();
    await page.getByRole("status", { name: "Protection" }).waitFor();
  });
});

describe("what is protected and watched", () => {
  test("a monitor is made with a cron expression, shows its next runs, and a ping makes a run on its page", async () => {
    const { page } = await open("/monitors", owner);
    await page.getByRole("button", { name: "Create monitor" }).click();
    const dialog = page.getByRole("dialog", { name: "Create monitor" });
    await dialog.getByLabel("Name").fill("Nightly photos");
    await dialog.getByRole("radio", { name: "Cron expression" }).check();
    await dialog.getByRole("textbox", { name: "Cron expression" }).fill("30 2 * * *");
    await dialog.getByRole("combobox", { name: "Time zone" }).selectOption("Europe/Berlin");
    const runs = dialog.getByRole("list", { name: "Next runs" }).getByRole("listitem");
    await runs.nth(4).filter({ hasText: "02:30" }).waitFor();
    await dialog.getByLabel("Item", { exact: true }).fill("photos-01");
    await dialog.getByRole("button", { name: "Save monitor" }).click();
    const url = await page.getByRole("textbox", { name: "Ping URL" }).inputValue();
    expect((await fetch(url)).status).toBe(200);
    await page.getByRole("link", { name: /^Success,/ }).waitFor();
    await page.getByRole("status", { name: "State" }).getByText("OK").waitFor();
    const main = page.getByRole("navigation", { name: "Main" });
    await main.getByRole("link", { name: "Monitors" }).click();
    await rows(page, "Monitors").getByText("Nightly photos").waitFor();

    await main.getByRole("link", { name: "Protected items" }).click();
    await page.getByRole("heading", { level: 1, name: "Protected items" }).waitFor();
    await page.getByRole("searchbox", { name: "Search by name" }).fill("photos-01");
    const row = rows(page, "Protected items").filter({ hasText: "photos-01" });
    await row.getByText("Good").waitFor();
    await row.getByRole("link", { name: "photos-01" }).click();
    await page.getByRole("button", { name: "Mute" }).click();
    await page.getByRole("button", { name: "Unmute" }).waitFor();
  });
});

describe("access management", () => {
  test("a token is made, shown once, works, and is revoked; the audit trail says who did it", async () => {
    const { page } = await open("/administration/api-tokens", owner);
    await page.getByRole("button", { name: "Create token" }).click();
    const dialog = page.getByRole("dialog", { name: "Create token" });
    await dialog.getByRole("radio", { name: "Service" }).check();
    await dialog.getByLabel("Name").fill("nightly");
    await dialog.getByRole("combobox", { name: "Role" }).selectOption({ label: "viewer" });
    await dialog.getByRole("button", { name: "Create token" }).click();
    const once = page.getByRole("dialog", { name: "Token created" });
    const token = await once.getByRole("textbox", { name: "Token" }).inputValue();
    expect((await world.service.ask("/tasks?limit=1", { token })).status).toBe(200);
    expect(await once.getByRole("button", { name: "Done" }).isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await once.getByRole("checkbox", { name: "I have stored this token" }).check();
    await once.getByRole("button", { name: "Done" }).click();
    await once.waitFor({ state: "hidden" });
    const left = await page.evaluate<string>(
      "document.documentElement.outerHTML + JSON.stringify(localStorage) + JSON.stringify(history.state)",
    );
    expect(left).not.toContain(token);

    await page.getByRole("button", { name: "Actions for nightly" }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await page.getByRole("dialog", { name: "Revoke token" }).getByRole("button", { name: "Revoke token" }).click();
    await rows(page, "API tokens").filter({ hasText: "nightly" }).getByText("Revoked").waitFor();
    expect((await world.service.ask("/tasks?limit=1", { token })).status).toBe(401);

    await page.getByRole("link", { name: "Audit trail" }).click();
    await page.getByRole("combobox", { name: "Operation" }).selectOption("revoke-api-token");
    const newest = rows(page, "Events").first();
    await newest.getByText("Olga Owner").waitFor();
    await newest.getByText("nightly").waitFor();
  });

  test("a person is invited with a role that the inviter may give, and the link is shown once", async () => {
    const { page } = await open("/administration/users", {
      email: "adm@example.org",
      name: "Adam",
      roles: [{ role: "admin" }],
    });
    await page.getByRole("button", { name: "Invite user" }).click();
    const dialog = page.getByRole("dialog", { name: "Invite user" });
    await dialog.getByLabel("E-mail address").fill("new@example.org");
    await dialog.getByLabel("Full name").fill("Nora New");
    const role = dialog.getByRole("combobox", { name: "Role" });
    expect(await role.getByRole("option", { name: /^owner \(you do not hold/ }).isDisabled()).toBe(true);
    await role.selectOption({ label: "viewer" });
    await dialog.getByRole("button", { name: "Create invitation" }).click();
    const link = page.getByRole("textbox", { name: "Invitation link" });
    expect(await link.inputValue()).toStartWith(`${world.service.baseUrl}/invitation#`);
  });

  test("two people edit one user: the second sees both versions, and nothing is lost", async () => {
    const id = await world.beside.addUser({ email: "both@example.org", name: "Before", roles: [{ role: "viewer" }] });
    const { page, complaints } = await open(`/administration/users/${id}`, owner);
    await page.getByLabel("Full name").fill("Mine");
    await ask(`/users/${id}`, { full_name: "Theirs" }, "PATCH");
    await page.getByRole("button", { name: "Save changes" }).click();
    const dialog = page.getByRole("dialog", { name: "Changed meanwhile" });
    await dialog.getByText("Theirs, enabled").waitFor();
    await dialog.getByText("Mine, enabled").waitFor();
    await dialog.getByRole("button", { name: "Save mine" }).click();
    await page.getByText("Saved.").waitFor();
    expect((await ask(`/users/${id}`)).full_name).toBe("Mine");
    complaints.splice(0);
  });

  test("a unit is made and moved by keyboard alone", async () => {
    const { page } = await open("/administration/organizational-units", owner);
    const tree = page.getByRole("tree", { name: "Organizational units" });
    await tree.getByRole("treeitem", { name: "Root" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Americas" }).waitFor();
    await page.getByRole("button", { name: "Move…" }).focus();
    await page.keyboard.press("Enter");
    const parent = page.getByRole("combobox", { name: "New parent" });
    await parent.focus();
    await page.keyboard.type("Europe");
    await page.getByRole("button", { name: "Move unit" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Americas is below Europe now.").waitFor();
    await tree.getByRole("treeitem", { name: "Americas" }).and(page.locator('[aria-level="3"]')).waitFor();
  });

  test("names that turn text around or never end stay in their place", async () => {
    const value = `${"x".repeat(150)}\u202e\u05d0\u05d1 <img src=x onerror=alert(1)>`;
    await world.beside.addTasks([
      { primary_entity: { type: "host", id: "h", value }, created_timestamp: new Date().toISOString() },
    ]);
    const { page } = await open("/tasks", viewer);
    await rows(page, "Tasks").getByText("\\u202e").first().waitFor();
    expect(await page.locator("tbody img").count()).toBe(0);
    expect(await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });
});
