import type { Page } from "playwright-core";

/** A dialog, or what else opens above a page. */
export interface ShownDialog {
  path: string;
  name: string;
  show: (page: Page) => Promise<void>;
}

/** Presses a button, and waits for the dialog. */
function button(path: string, name: string, dialog: string): ShownDialog {
  return {
    path,
    name: dialog,
    show: async (page) => {
      await page.locator("main").getByRole("button", { name, exact: true }).first().click();
      await page.getByRole("dialog", { name: dialog, exact: true }).waitFor();
    },
  };
}

/** Chooses from the menu of the first row, and waits for the dialog. */
function fromRow(path: string, item: string, dialog: string): ShownDialog {
  return {
    path,
    name: dialog,
    show: async (page) => {
      await page
        .getByRole("button", { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole("menuitem", { name: item }).click();
      await page.getByRole("dialog", { name: dialog }).waitFor();
    },
  };
}

/** Every dialog, menu and popover that a page can open. */
export const dialogs: readonly ShownDialog[] = [
  button("/tasks", "Show as API call", "API call"),
  {
    path: "/tasks",
    name: "filters",
    show: async (page) => {
      await page.getByRole("button", { name: "Add filter" }).click();
      await page.getByRole("menuitem", { name: "Outcome" }).click();
      await page.getByRole("option", { name: "Lost" }).waitFor();
    },
  },
  {
    path: "/tasks",
    name: "running tasks",
    show: async (page) => {
      await page.getByRole("button", { name: /^Running tasks/ }).click();
      await page.getByRole("link", { name: "Show all running tasks" }).waitFor();
    },
  },
  {
    path: "/tasks",
    name: "account menu",
    show: async (page) => {
      await page.getByRole("button", { name: /^Account:/ }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
    },
  },
  {
    path: "/tasks",
    name: "About",
    show: async (page) => {
      await page.getByRole("button", { name: /^Account:/ }).click();
      await page.getByRole("menuitem", { name: "About" }).click();
      await page.getByRole("dialog", { name: "About Holdfast" }).waitFor();
    },
  },
  {
    path: "/tasks",
    name: "Switch organizational unit",
    show: async (page) => {
      await page.getByRole("button", { name: /^Organizational unit/ }).click();
      await page.getByRole("treeitem").nth(3).waitFor();
    },
  },
  button("/tasks/{running}", "Abort task", "Abort this task?"),
  button("/entities", "Add a host", "Add a host"),
  button("/monitors", "Create monitor", "Create monitor"),
  button("/monitors", "Create ping key", "Create ping key"),
  fromRow("/monitors", "Delete", "Delete this ping key?"),
  button("/monitors/{monitor}", "Edit", "Edit monitor"),
  button("/monitors/{monitor}", "Replace ping URL", "Replace the ping URL?"),
  button("/monitors/{monitor}", "Delete monitor", "Delete this monitor?"),
  button("/administration/notifications", "Create notification", "Create notification"),
  button("/administration/notifications/{webhook}", "Edit", "Edit notification"),
  button("/administration/notifications/{webhook}", "Replace secret", "Replace the secret?"),
  button("/administration/notifications/{webhook}", "Delete notification", "Delete this notification?"),
  button("/administration/users", "Invite user", "Invite user"),
  button("/administration/users/{user}", "Delete user", "Delete this user?"),
  button("/administration/roles", "Create role", "Create role"),
  button("/administration/roles/{role}", "Delete role", "Delete this role?"),
  button("/administration/organizational-units?selected={unit}", "Create unit", "Create unit"),
  button("/administration/organizational-units?selected={unit}", "Rename", "Rename unit"),
  button("/administration/organizational-units?selected={unit}", "Move…", "Move this unit?"),
  button("/administration/organizational-units?selected={unit}", "Delete", "Delete this unit?"),
  button("/administration/api-tokens", "Create token", "Create token"),
  fromRow("/administration/api-tokens", "Rename", "Rename token"),
  fromRow("/administration/api-tokens", "Rotate", "Rotate this token?"),
  fromRow("/administration/api-tokens", "Revoke", "Revoke token"),
  button("/administration/audit", "Verify and export", "Verify and export"),
  {
    path: "/administration/audit",
    name: "details",
    show: async (page) => {
      await page.getByRole("button", { name: "Details" }).first().click();
      await page.getByText("Hash before").waitFor();
    },
  },
  button("/administration/keys", "Rotate key", "Rotate the key?"),
  button("/account/security", "Turn on one-time codes", "Turn on one-time codes"),
  button("/account/sessions", "Sign out everywhere", "Sign out everywhere?"),
  button("/account/tokens", "Create token", "Create token"),
];
