import { describe, expect, test } from "bun:test";
import { password } from "../../../server/test/access/people";
import { ask, expectOnly, heading, open, openSignedOut, owner, rows, viewer, world } from "../shared-world";

export function accessManagement(): void {
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
      // Pages on plain http have no clipboard of their own.
      await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
      await page.evaluate("document.execCommand = () => false");
      await once.getByRole("button", { name: "Copy token" }).click();
      await once.getByText("Press Ctrl+C to copy").waitFor();
      expect(await once.getByRole("button", { name: "Done" }).isDisabled()).toBe(true);
      expect(await page.evaluate<string>("String(getSelection())")).toBe(token);
      await page.evaluate("delete document.execCommand");
      await once.getByRole("button", { name: "Copy token" }).click();
      await once.getByText("Copied").waitFor();
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
      const invited = await openSignedOut(await link.inputValue());
      await invited.page.getByLabel("New password").fill(password);
      await invited.page.getByRole("button", { name: "Set password" }).click();
      await invited.page.getByRole("link", { name: "Open the console" }).click();
      await heading(invited.page, "Overview").waitFor();
      const main = invited.page.getByRole("navigation", { name: "Main" });
      expect(await main.getByRole("link", { name: /API tokens|Audit trail|Notifications/ }).count()).toBe(0);
    });

    test("two people edit one user: the second sees both versions, and nothing is lost", async () => {
      const id = await world.beside.addUser({ email: "both@example.org", name: "Before", roles: [{ role: "viewer" }] });
      const { page, complaints } = await open(`/administration/users/${id}`, owner);
      await page.getByLabel("Full name").fill("Mine name");
      await ask(`/users/${id}`, { full_name: "Theirs name" }, "PATCH");
      await page.getByRole("button", { name: "Save changes" }).click();
      const dialog = page.getByRole("dialog", { name: "Changed meanwhile" });
      await dialog.getByRole("region", { name: "Theirs" }).getByText("Theirs name").waitFor();
      await dialog.getByRole("region", { name: "Yours" }).getByText("Mine name").waitFor();
      await dialog.getByRole("button", { name: "Save mine" }).click();
      await page.getByText("Saved.").waitFor();
      expect((await ask(`/users/${id}`)).full_name).toBe("Mine name");
      expectOnly(complaints, /status of 412/);

      const role = await ask("/roles", { name: "auditor", description: "", permissions: ["tasks:read"] });
      await page.goto(`${world.service.baseUrl}/console/administration/roles/${role.id}`);
      await page.getByLabel("Name").fill("auditor of mine");
      await ask(`/roles/${role.id}`, { permissions: ["tasks:read", "users:read"] }, "PATCH");
      await page.getByRole("button", { name: "Save changes" }).click();
      await dialog.getByRole("region", { name: "Theirs" }).getByText("users:read").waitFor();
      await dialog.getByRole("button", { name: "Take theirs" }).click();
      expect(await page.getByLabel("Name").inputValue()).toBe("auditor");
      expect(await page.getByRole("checkbox", { name: "users:read" }).isChecked()).toBe(true);
      expectOnly(complaints, /status of 412/);
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
}
