import { describe, expect, test } from "bun:test";
import { password } from "../../../server/test/access/people";
import { plainHost } from "../open-console";
import { ask, descriptionOf, heading, open, openSignedOut, owner, rows, world } from "../shared-world";

const admin = { email: "adm@example.org", name: "Adam", roles: [{ role: "admin" as const }] };

export function accessManagement(): void {
  describe("access management", () => {
    test("28, 29, 31, 35: a token is made, shown once, works, and is revoked; the audit trail says who did it", async () => {
      const { page } = await open("/administration/api-tokens", owner);
      await page.getByRole("button", { name: "Create token" }).click();
      const dialog = page.getByRole("dialog", { name: "Create token" });
      await dialog.getByRole("radio", { name: "Service" }).check();
      await dialog.getByLabel("Name").fill("nightly");
      await dialog.getByRole("combobox", { name: "Organizational unit" }).selectOption({ label: "Root" });
      await dialog.getByRole("combobox", { name: "Role" }).selectOption({ label: "viewer" });
      await dialog.getByRole("combobox", { name: "Expires" }).selectOption({ label: "30 days" });
      await dialog.getByRole("button", { name: "Create token" }).click();
      const once = page.getByRole("dialog", { name: "Token created" });
      const token = await once.getByRole("textbox", { name: "Token" }).inputValue();
      expect((await world.service.ask("/tasks?limit=1", { token })).status).toBe(200);
      const done = once.getByRole("button", { name: "Done" });
      expect(await done.isDisabled()).toBe(true);
      await page.keyboard.press("Escape");
      await page.mouse.click(5, 5);
      await once.waitFor();
      const checkbox = once.getByRole("checkbox", { name: "I have stored this token" });
      await checkbox.check();
      expect(await done.isDisabled()).toBe(false);
      await checkbox.uncheck();
      expect(await done.isDisabled()).toBe(true);
      await page.evaluate("document.execCommand = () => false; navigator.clipboard.writeText = () => Promise.reject()");
      await once.getByRole("button", { name: "Copy token" }).click();
      await once.getByText("Press Ctrl+C to copy").waitFor();
      expect(await done.isDisabled()).toBe(true);
      await page.evaluate("delete document.execCommand; delete navigator.clipboard.writeText");
      await once.getByRole("button", { name: "Copy token" }).click();
      await once.getByText("Copied").waitFor();
      await done.click();
      await once.waitFor({ state: "hidden" });
      const left = await page.evaluate<string>(
        "document.documentElement.outerHTML + JSON.stringify([localStorage, sessionStorage, history.state, location.href])",
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
      await newest.getByRole("button", { name: "Details" }).click();
      await page.getByRole("link", { name: "All events of this object" }).click();
      await page.getByRole("button", { name: /^Remove filter: To what, by id is/ }).waitFor();
    });

    test("30: on plain http from the network a token is copied all the same, and pasted from the clipboard", async () => {
      const { page, context, requests, complaints } = await openSignedOut("/sign-in");
      const { port } = new URL(world.service.baseUrl);
      const origin = `http://${plainHost}:${port}`;
      await page.goto(`${origin}/console/account/tokens`);
      expect(await page.evaluate<boolean>("isSecureContext || 'clipboard' in navigator")).toBe(false);
      await page.getByLabel("E-mail address").fill(owner.email);
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("button", { name: "Create token" }).click();
      const dialog = page.getByRole("dialog", { name: "Create token" });
      await dialog.getByLabel("Name").fill("from the network");
      await dialog.getByRole("button", { name: "Create token" }).click();
      const once = page.getByRole("dialog", { name: "Token created" });
      const token = await once.getByRole("textbox", { name: "Token" }).inputValue();
      await once.getByRole("button", { name: "Copy token" }).click();
      await once.getByText("Copied").waitFor();
      await once.getByRole("button", { name: "Done" }).click();
      await page.getByRole("button", { name: "Create token" }).click();
      await dialog.getByLabel("Name").press("Control+v");
      expect(token).toStartWith(await dialog.getByLabel("Name").inputValue());
      expect((await dialog.getByLabel("Name").inputValue()).length).toBe(200);
      expect(requests.filter((one) => !one.includes(origin) && !one.includes(world.service.baseUrl))).toEqual([]);
      requests.length = 0;
      await context.clearCookies();
      complaints.splice(0, complaints.length, ...complaints.filter((one) => !/status of 401|Opener-Policy/.test(one)));
    });

    test("6, 32: a person is invited with a role that the inviter may give, and sees only what that role allows", async () => {
      const { page } = await open("/administration/users", admin);
      await page.getByRole("button", { name: "Invite user" }).click();
      const dialog = page.getByRole("dialog", { name: "Invite user" });
      await dialog.getByLabel("E-mail address").fill("new@example.org");
      await dialog.getByLabel("Full name").fill("Nora New");
      const role = dialog.getByRole("combobox", { name: "Role" });
      expect(await role.getByRole("option", { name: /^owner \(you do not hold/ }).isDisabled()).toBe(true);
      await dialog.getByRole("button", { name: "Create invitation" }).click();
      await dialog.getByText("Choose what the person may do.").waitFor();
      await role.selectOption({ label: "viewer" });
      await dialog.getByRole("combobox", { name: "Organizational unit" }).waitFor();
      await dialog.getByRole("button", { name: "Create invitation" }).click();
      const once = page.getByRole("dialog", { name: "Invitation created" });
      const link = once.getByRole("textbox", { name: "Invitation link" });
      const address = await link.inputValue();
      expect(address).toStartWith(`${world.service.baseUrl}/invitation#`);
      await once.getByRole("checkbox", { name: "I have passed this link on" }).check();
      await once.getByRole("button", { name: "Done" }).click();
      await once.waitFor({ state: "hidden" });
      expect(await page.content()).not.toContain(address);
      const invited = await openSignedOut(address);
      await invited.page.getByLabel("New password").fill(password);
      await invited.page.getByRole("button", { name: "Set password" }).click();
      await invited.page.getByRole("link", { name: "Open the console" }).click();
      await heading(invited.page, "Overview").waitFor();
      const main = invited.page.getByRole("navigation", { name: "Main" });
      expect(await main.getByRole("link", { name: /API tokens|Audit trail|Notifications|keys/ }).count()).toBe(0);
      await main.getByRole("link", { name: "Users" }).click();
      const invite = invited.page.getByRole("button", { name: "Invite user" });
      await invite.waitFor();
      expect(await invite.isDisabled()).toBe(true);
      expect(await descriptionOf(invited, "button", "Invite user")).toContain("users:write");
    });

    test("34: a unit is moved by keyboard alone", async () => {
      await ask("/organizational-units", { name: "Aardvark" });
      const { page } = await open("/administration/organizational-units", admin);
      const tree = page.getByRole("tree", { name: "Organizational units" });
      await tree.getByRole("treeitem", { name: "Root" }).focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.getByRole("region", { name: "Aardvark" }).waitFor();
      const press = async (name: string) => {
        for (let at = 0; at < 60; at++) {
          await page.keyboard.press("Tab");
          const focused = await page.evaluate<string>("document.activeElement.textContent");
          at += focused === name ? 60 : 0;
        }
        await page.keyboard.press("Enter");
      };
      await press("Move…");
      const dialog = page.getByRole("dialog", { name: "Move this unit?" });
      await dialog.getByRole("combobox", { name: "New parent" }).waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.type("Europe");
      await dialog.getByText("Move Aardvark with 0 units below it to Europe?").waitFor();
      await press("Move unit");
      await page.getByText("Aardvark is below Europe now.").waitFor();
      await tree.getByRole("treeitem", { name: "Aardvark" }).and(page.locator('[aria-level="3"]')).waitFor();
    });
  });
}
