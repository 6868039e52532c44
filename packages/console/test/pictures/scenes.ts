import type { Page } from "playwright-core";
import { password } from "../../../server/test/access/people";
import type { Company } from "./company";

/** Picture: a page, and what a person has done there. */
export interface Scene {
  name: string;
  /** Below `/console`; from `//` on another page of the service; `fresh:` on the service without data. */
  path: string;
  as?: "owner" | "viewer" | "reporter" | "visitor";
  /** Actions before the picture is taken. */
  act?: (page: Page, company: Company) => Promise<unknown>;
  /** True if content below the window belongs to it. */
  isWhole?: boolean;
  /** As it is printed. */
  isPrinted?: boolean;
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first();
const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

async function fillToken(page: Page) {
  await button(page, "Create token").click();
  const form = dialog(page, "Create token");
  await form.getByRole("radio", { name: "Service" }).check();
  await form.getByLabel("Name").fill("Nightly report");
  await form.getByRole("combobox", { name: "Role" }).selectOption({ label: "viewer" });
  return form;
}

async function fillInvitation(page: Page, address: string) {
  await button(page, "Invite user").click();
  const form = dialog(page, "Invite user");
  await form.getByLabel("E-mail address").fill(address);
  await form.getByLabel("Full name").fill("Noah Jensen");
  await form.getByRole("combobox", { name: "Role" }).selectOption({ label: "operator" });
  return form;
}

/** Invites a person and gives the link. */
async function invite(ask: Company["ask"], ids: Company["ids"], email: string, full_name: string): Promise<string> {
  const grants = [{ role_id: ids.auditor, organizational_unit_ids: [ids.hamburg] }];
  return (await ask("/users", { email, full_name, access_control_configuration: grants })).invitation_link;
}

async function signInWith(page: Page, secret: string) {
  await page.getByLabel("E-mail address").fill("maria.keller@example.com");
  await page.getByLabel("Password", { exact: true }).fill(secret);
  await button(page, "Sign in").click();
}

const pages: Scene[] = [
  { name: "overview", path: "/", isWhole: true },
  { name: "tasks", path: "/tasks" },
  { name: "tasks-filtered", path: "/tasks?outcome=error,lost&category=backup&since=30d" },
  { name: "tasks-view", path: "/tasks?outcome=error,lost&since=7d" },
  { name: "tasks-none", path: "/tasks?q=nothing-is-called-so" },
  { name: "task", path: "/tasks/{failed}", isWhole: true },
  { name: "task-running", path: "/tasks/{running}", isWhole: true },
  { name: "first-steps", path: "/?unit={office}", isWhole: true },
  { name: "entities", path: "/entities" },
  { name: "entity", path: "/entities/{entity}", isWhole: true },
  { name: "entity-stale", path: "/entities/{stale}", isWhole: true },
  { name: "entity-unwatched", path: "/entities/{unwatched}", isWhole: true },
  { name: "monitors", path: "/monitors" },
  { name: "monitor", path: "/monitors/{missed}", isWhole: true },
  { name: "monitor-waiting", path: "/monitors/{waiting}", isWhole: true },
  { name: "notifications", path: "/administration/notifications" },
  { name: "notification", path: "/administration/notifications/{webhook}", isWhole: true },
  { name: "notification-broken", path: "/administration/notifications/{broken}", isWhole: true },
  { name: "users", path: "/administration/users" },
  { name: "user", path: "/administration/users/{user}", isWhole: true },
  { name: "roles", path: "/administration/roles" },
  { name: "role", path: "/administration/roles/{admin}", isWhole: true },
  { name: "role-own", path: "/administration/roles/{auditor}", isWhole: true },
  { name: "units", path: "/administration/organizational-units?selected={hamburg}", isWhole: true },
  { name: "tokens", path: "/administration/api-tokens" },
  { name: "audit", path: "/administration/audit" },
  { name: "keys", path: "/administration/keys" },
  { name: "account-profile", path: "/account/profile", isWhole: true },
  { name: "account-security", path: "/account/security" },
  { name: "account-sessions", path: "/account/sessions" },
  { name: "account-tokens", path: "/account/tokens" },
];

const empty: Scene[] = [
  { name: "empty-tasks", path: "/tasks?unit={office}" },
  { name: "empty-entities", path: "/entities?unit={office}" },
  { name: "empty-monitors", path: "/monitors?unit={office}" },
  { name: "empty-notifications", path: "/administration/notifications?unit={office}" },
  { name: "empty-users", path: "/administration/users?unit={office}&q=nobody" },
  { name: "empty-tokens", path: "/administration/api-tokens?unit={office}" },
];

const dialogs: Scene[] = [
  { name: "dialog-create-token", path: "/administration/api-tokens", act: fillToken },
  {
    name: "dialog-token-created",
    path: "/administration/api-tokens",
    act: async (page) => {
      await (await fillToken(page)).getByRole("button", { name: "Create token" }).click();
      await dialog(page, "Token created").waitFor();
    },
  },
  {
    name: "dialog-revoke-token",
    path: "/administration/api-tokens",
    act: async (page) => {
      await button(page, "Actions for Ticket system").click();
      await page.getByRole("menuitem", { name: "Revoke" }).click();
    },
  },
  {
    name: "dialog-rotate-token",
    path: "/administration/api-tokens",
    act: async (page) => {
      await button(page, "Actions for Ticket system").click();
      await page.getByRole("menuitem", { name: "Rotate" }).click();
    },
  },
  {
    name: "menu-row",
    path: "/administration/api-tokens",
    act: (page) => button(page, "Actions for Ticket system").click(),
  },
  {
    name: "dialog-invite",
    path: "/administration/users",
    act: (page) => fillInvitation(page, "noah.jensen@example.com"),
  },
  {
    name: "dialog-invited",
    path: "/administration/users",
    act: async (page) => {
      const form = await fillInvitation(page, "noah@example.com");
      await form.getByRole("button", { name: "Create invitation" }).click();
      await dialog(page, "Invitation created").waitFor();
    },
  },
  {
    name: "dialog-monitor",
    path: "/monitors",
    act: async (page) => {
      await button(page, "Create monitor").click();
      const form = dialog(page, "Create monitor");
      await form.getByLabel("Name").fill("Photos to the archive");
      await form.getByRole("combobox", { name: "Time zone" }).fill("Europe/Berlin");
      await form.getByLabel("Type", { exact: true }).fill("restic_backup");
      await form.getByLabel("Item", { exact: true }).fill("ham-ops-nas:tank/photos");
      await form.getByRole("list", { name: "Next runs" }).getByRole("listitem").nth(4).waitFor();
    },
  },
  { name: "dialog-ping-key", path: "/monitors", act: (page) => button(page, "Create ping key").click() },
  {
    name: "dialog-replace-ping-url",
    path: "/monitors/{missed}",
    act: (page) => button(page, "Replace ping URL").click(),
  },
  { name: "dialog-abort", path: "/tasks/{running}", act: (page) => button(page, "Abort task").click() },
  {
    name: "dialog-changed-meanwhile",
    path: "/administration/users/{both}",
    act: async (page, { ask, ids }) => {
      await page.getByLabel("Full name").fill("Sofia Lindqvist-Berg");
      await ask(`/users/${ids.both}`, { full_name: "Dr. Sofia Lindqvist" }, "PATCH");
      await button(page, "Save changes").click();
      await dialog(page, "Changed meanwhile").waitFor();
    },
  },
  {
    name: "dialog-leave",
    path: "/administration/users/{user}",
    act: async (page) => {
      await page.getByLabel("Full name").fill("Another name");
      await page.getByRole("link", { name: "Roles", exact: true }).first().click();
      await dialog(page, "Leave without saving?").waitFor();
    },
  },
  {
    name: "dialog-delete-user",
    path: "/administration/users/{user}",
    act: (page) => button(page, "Delete user").click(),
  },
  {
    name: "dialog-api-call",
    path: "/tasks?outcome=error,lost&since=7d",
    act: (page) => button(page, "Show as API call").click(),
  },
  {
    name: "dialog-unit-switcher",
    path: "/tasks",
    act: async (page) => {
      await button(page, /^Organizational unit:/).click();
      await dialog(page, "Switch organizational unit").getByRole("treeitem", { name: "Europe" }).waitFor();
    },
  },
  {
    name: "dialog-create-unit",
    path: "/administration/organizational-units?selected={hamburg}",
    act: (page) => button(page, "Create unit").click(),
  },
  {
    name: "dialog-move-unit",
    path: "/administration/organizational-units?selected={hamburg}",
    act: (page) => button(page, "Move…").click(),
  },
  {
    name: "dialog-delete-unit",
    path: "/administration/organizational-units?selected={hamburg}",
    act: (page) => button(page, "Delete").click(),
  },
  { name: "dialog-create-role", path: "/administration/roles", act: (page) => button(page, "Create role").click() },
  {
    name: "dialog-notification",
    path: "/administration/notifications",
    act: async (page) => {
      await button(page, "Create notification").click();
      const form = dialog(page, "Create notification");
      await form.getByLabel("Name").fill("Backups that fail");
      await form.getByRole("combobox", { name: "Kind" }).selectOption({ label: "Slack" });
    },
  },
  {
    name: "dialog-notification-reminders",
    path: "/administration/notifications",
    act: async (page) => {
      await button(page, "Create notification").click();
      await dialog(page, "Create notification").getByLabel("Remind while something stays down").focus();
    },
  },
  { name: "dialog-rotate-key", path: "/administration/keys", act: (page) => button(page, "Rotate key").click() },
  { name: "dialog-add-host", path: "/entities", act: (page) => button(page, "Add a host").click() },
  {
    name: "dialog-host-commands",
    path: "/entities",
    act: async (page) => {
      await button(page, "Add a host").click();
      await dialog(page, "Add a host").getByLabel("Name").fill("web-07");
      await button(page, "Continue").click();
    },
  },
  {
    name: "dialog-codes",
    path: "/account/security",
    as: "viewer",
    act: async (page) => {
      await button(page, "Turn on one-time codes").click();
      const form = dialog(page, "Turn on one-time codes");
      await form.getByLabel("Current password").fill(password);
      await form.getByRole("button", { name: "Continue" }).click();
      await form.getByRole("textbox", { name: "Secret" }).waitFor();
    },
  },
  { name: "dialog-about", path: "/", act: (page) => openAccountMenu(page, "About") },
  { name: "menu-account", path: "/tasks", act: (page) => button(page, /^Account:/).click() },
  { name: "menu-help", path: "/tasks", act: (page) => button(page, "Help").click() },
  {
    name: "dialog-unsaved",
    path: "/administration/organizational-units?selected={hamburg}",
    act: async (page) => {
      await button(page, "Create unit").click();
      await dialog(page, "Create unit").getByLabel("Name").fill("Finance");
      await page.keyboard.press("Escape");
      await dialog(page, "Close without saving?").waitFor();
    },
  },
  {
    name: "dialog-save-view",
    path: "/tasks?category=backup&since=30d",
    act: async (page) => {
      await button(page, "Save this view").click();
      await dialog(page, "Save this view").getByLabel("Name").fill("Backups of the month");
    },
  },
  {
    name: "dialog-save-view-viewer",
    path: "/tasks?category=backup&since=30d",
    as: "viewer",
    act: (page) => button(page, "Save this view").click(),
  },
  {
    name: "menu-views",
    path: "/tasks?outcome=error,lost&since=7d",
    act: (page) => openViewMenu(page, "Restores"),
  },
  {
    name: "menu-views-viewer",
    path: "/tasks",
    as: "viewer",
    act: (page) => openViewMenu(page, "Failures of the week"),
  },
  {
    name: "dialog-rename-view",
    path: "/tasks",
    act: async (page) => {
      await openViewMenu(page, "Restores");
      await page.getByRole("menuitem", { name: "Rename" }).click();
      await dialog(page, "Rename view").waitFor();
    },
  },
  {
    name: "dialog-delete-view",
    path: "/tasks",
    act: async (page) => {
      await openViewMenu(page, "Failures of the week");
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await dialog(page, "Delete this view?").waitFor();
    },
  },
  { name: "menu-running", path: "/tasks", act: (page) => button(page, /^Running tasks/).click() },
  {
    name: "menu-filter",
    path: "/tasks",
    act: async (page) => {
      await button(page, "Add filter").click();
      await page.getByRole("menuitem", { name: "Outcome" }).click();
    },
  },
  {
    name: "audit-details",
    path: "/administration/audit",
    act: async (page) => {
      await page
        .getByRole("row")
        .filter({ hasText: "update-organizational-unit" })
        .getByText("Details")
        .first()
        .click();
    },
  },
  {
    name: "overview-table",
    path: "/",
    act: (page) => button(page, "Show as table").click(),
  },
];

/** Opens the menu of a saved view, which is in the drawer on a narrow page. */
async function openViewMenu(page: Page, view: string) {
  const drawer = button(page, "Open navigation");
  if (await drawer.isVisible()) await drawer.click();
  await page
    .getByRole("button", { name: `Actions for ${view}` })
    .filter({ visible: true })
    .click();
}

async function openAccountMenu(page: Page, item: string) {
  await button(page, /^Account:/).click();
  await page.getByRole("menuitem", { name: item }).click();
}

const troubles: Scene[] = [
  { name: "state-no-such-page", path: "/no-such-page" },
  { name: "state-not-there", path: "/tasks/00000000-0000-4000-8000-00000000abcd" },
  { name: "state-no-role", path: "/?unit=00000000-0000-4000-8000-00000000abcd" },
  { name: "state-forbidden", path: "/administration/audit", as: "viewer" },
  { name: "state-reporter", path: "/", as: "reporter" },
  { name: "state-unknown-filter", path: "/tasks?outcome=purple&size=7" },
  {
    name: "state-error",
    path: "/administration/roles",
    act: async (page) => {
      const message = "Something went wrong in the service. Its log has more under this request id.";
      const errors = [{ error_code: 50001, error_message: message }];
      await page.route("**/monitors?*", (route) => route.fulfill({ status: 500, json: { errors } }));
      await page.getByRole("link", { name: "Monitors" }).first().click();
      await button(page, "Try again").waitFor({ timeout: 30_000 });
    },
  },
  {
    name: "state-away",
    path: "/tasks",
    act: async (page) => {
      await page.getByRole("table", { name: "Tasks" }).waitFor();
      await page.route(/\/(users|readyz|task-events|tasks)(\?|$)/, (route) => route.abort());
      await page.getByRole("link", { name: "Users" }).first().click();
      await page.getByRole("alert").filter({ hasText: "does not answer" }).first().waitFor();
      await page.getByRole("link", { name: "Tasks", exact: true }).first().click();
    },
  },
  {
    name: "state-session-ended",
    path: "/tasks",
    act: async (page) => {
      await page.getByRole("table", { name: "Tasks" }).waitFor();
      await page.context().clearCookies();
      await page.getByRole("link", { name: "Users" }).first().click();
      await dialog(page, "Sign in again").waitFor();
    },
  },
];

const outside: Scene[] = [
  { name: "sign-in", path: "/sign-in", as: "visitor" },
  {
    name: "sign-in-refused",
    path: "/sign-in",
    as: "visitor",
    act: async (page) => {
      await signInWith(page, "wrong");
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "sign-in-fresh", path: "fresh:/console/sign-in", as: "visitor" },
  {
    name: "link-first-owner",
    path: "fresh:/first-owner",
    as: "visitor",
    act: async (page, { fresh }) => {
      await page.goto(fresh.ownerLink);
      await button(page, "Become the owner").waitFor();
    },
  },
  {
    name: "link-first-owner-faults",
    path: "fresh:/first-owner",
    as: "visitor",
    act: async (page, { fresh }) => {
      await page.goto(fresh.ownerLink);
      await page.getByLabel("Your full name").fill("Maria Keller");
      await page.getByLabel("E-mail address").fill("not an address");
      await page.getByLabel("New password").fill("short");
      await button(page, "Become the owner").click();
      await page.locator(".fault:not([hidden])").first().waitFor();
    },
  },
  {
    name: "link-invitation",
    path: "//invitation",
    as: "visitor",
    act: async (page, { ask, ids }) => {
      await page.goto(await invite(ask, ids, "ines.brandt@example.com", "Ines Brandt"));
      await button(page, "Set password").waitFor();
    },
  },
  { name: "link-not-whole", path: "//invitation", as: "visitor" },
  {
    name: "link-void",
    path: "//invitation#secret",
    as: "visitor",
    act: async (page) => {
      await page.getByRole("heading", { name: "This link cannot be used" }).waitFor();
    },
  },
  {
    name: "link-done",
    path: "//invitation#secret",
    as: "visitor",
    act: async (page, { ask, ids }) => {
      await page.goto(await invite(ask, ids, "lena.hofmann@example.com", "Lena Hofmann"));
      await page.getByLabel("New password").fill(password);
      await button(page, "Set password").click();
      await page.getByRole("heading", { name: "Your password is set" }).waitFor();
    },
  },
  { name: "docs", path: "//docs", as: "visitor" },
  { name: "docs-operation", path: "//docs#operation-list-tasks", as: "visitor" },
];

const printed: Scene[] = [
  { name: "print-overview", path: "/", isWhole: true, isPrinted: true },
  { name: "print-entities", path: "/entities", isWhole: true, isPrinted: true },
  { name: "print-task", path: "/tasks/{failed}", isWhole: true, isPrinted: true },
];

/** Every page, dialog, menu and state of which a picture is taken. */
export const scenes: readonly Scene[] = [...pages, ...empty, ...dialogs, ...troubles, ...outside, ...printed];
