import { describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { expectOnly, go, open, owner } from "../shared-world";

/** A form with something that the service refuses: where it is, what is typed, and what is said at which field. */
const refused: readonly {
  path: string;
  button: string;
  dialog: string;
  fill: (dialog: Locator) => Promise<unknown>;
  send: string;
  field: string;
  says: RegExp;
}[] = [
  {
    path: "/administration/users",
    button: "Invite user",
    dialog: "Invite user",
    fill: async (dialog) => {
      await dialog.getByLabel("E-mail address").fill("noah@example.org");
      await dialog.getByLabel("Full name").fill("   ");
      await dialog.getByRole("combobox", { name: "Role" }).selectOption({ label: "viewer" });
    },
    send: "Create invitation",
    field: "Full name",
    says: /^Full name has to be/,
  },
  {
    path: "/administration/roles",
    button: "Create role",
    dialog: "Create role",
    fill: async (dialog) => {
      await dialog.getByLabel("Name").fill("viewer");
      await dialog.getByRole("checkbox", { name: "tasks:read" }).check();
    },
    send: "Create role",
    field: "Name",
    says: /^There is a role of that name already/,
  },
  {
    path: "/monitors",
    button: "Create monitor",
    dialog: "Create monitor",
    fill: async (dialog) => {
      await dialog.getByLabel("Name").fill("Never");
      await dialog.getByRole("textbox", { name: "Cron expression" }).fill("61 2 * * *");
    },
    send: "Save monitor",
    field: "Cron expression",
    says: /61/,
  },
  {
    path: "/administration/api-tokens",
    button: "Create token",
    dialog: "Create token",
    fill: (dialog) => dialog.getByLabel("Name").fill("   "),
    send: "Create token",
    field: "Role",
    says: /^Choose what the token may do/,
  },
  {
    path: "/administration/notifications",
    button: "Create notification",
    dialog: "Create notification",
    fill: async (dialog) => {
      await dialog.getByLabel("Name").fill("Nowhere");
      await dialog.getByRole("textbox", { name: "Address" }).fill("ftp://backup.example.org");
    },
    send: "Save notification",
    field: "Address",
    says: /^Address has to be/,
  },
];

/** Lines that are said of the field that has the focus. */
const said =
  "document.activeElement.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id)?.textContent ?? '')";

export function forms(): void {
  describe("what is wrong in a form", () => {
    test("is said at its field in the words of its label, and the field has the focus", async () => {
      const { page, complaints } = await open("/administration/keys", owner);
      for (const { path, button, dialog: name, fill, send, field: label, says } of refused) {
        await go(page, path);
        await page.getByRole("button", { name: button, exact: true }).click();
        const dialog = page.getByRole("dialog", { name });
        await fill(dialog);
        await dialog.getByRole("button", { name: send, exact: true }).click();
        const field = dialog.getByLabel(label, { exact: true }).and(page.locator('[aria-invalid="true"]'));
        await field.and(page.locator(":focus")).waitFor();
        expect((await page.evaluate<string[]>(said)).filter((line) => says.test(line))).toHaveLength(1);
        // Nothing of the API's own terms, and no number of the request, anywhere in the dialog.
        expect(await dialog.innerText()).not.toMatch(/The field "|Request /);
        expect(await dialog.getByRole("alert").count()).toBe(0);
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await dialog.waitFor({ state: "detached" });
      }
      expectOnly(complaints, /status of 4\d\d/);
    });

    test("what sends a long form stays in sight, and a form of a page is saved, reset and left as it was", async () => {
      const { page } = await open("/administration/roles", owner, { width: 390, height: 560 });
      await page.getByRole("button", { name: "Create role" }).click();
      const send = page.getByRole("dialog").getByRole("button", { name: "Create role" });
      await send.waitFor();
      const { y = 1_000, height = 0 } = (await send.boundingBox()) ?? {};
      expect(y + height).toBeLessThanOrEqual(560);
      await page.keyboard.press("Escape");

      await go(page, "/account/profile");
      const name = page.getByLabel("Full name");
      await name.fill("Someone else");
      await page.getByRole("button", { name: "Discard" }).click();
      expect(await name.inputValue()).toBe(owner.name);
      expect(await page.getByRole("button", { name: "Save changes" }).isDisabled()).toBe(true);
    });
  });
}
