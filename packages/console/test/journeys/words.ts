import { describe, expect, test } from "bun:test";
import { ask, expectOnly, heading, open, owner, rows, viewer } from "../shared-world";

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

export function words(): void {
  describe("what the console says", () => {
    test("an address that leads nowhere has the navigation around it", async () => {
      const { page } = await open("/no-such-page", viewer);
      await heading(page, "No such page").waitFor();
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Tasks" }).click();
      await heading(page, "Tasks").waitFor();
    });

    test("the name of a filter's button contains what is written on it, so that it can be called by voice", async () => {
      const { page } = await open("/tasks?outcome=error,lost", viewer);
      const chip = page.getByRole("button", { name: "Remove filter: Outcome is Error, Lost" });
      expect((await chip.getAttribute("aria-label")) ?? "").toContain((await chip.innerText()).trim());
    });

    test("the times in the sentence about a missed run are the viewer's", async () => {
      const { page } = await open("/tasks?outcome=missed", viewer, { zone: "Pacific/Auckland" });
      const details = rows(page, "Tasks").getByText("A run was expected at").first();
      expect(await details.innerText()).toMatch(
        /^A run was expected at \d+ \w+ \d{4}, \d\d:\d\d.* none had begun by \d+ \w+/,
      );
      await rows(page, "Tasks").getByRole("link").first().click();
      const region = page.getByRole("region", { name: "What was missed" });
      await region.waitFor();
      expect(await region.innerText()).not.toContain("UTC");
    });

    test("where nothing was typed, nothing is said to be kept", async () => {
      const { page, context, complaints } = await open("/tasks", viewer);
      await rows(page, "Tasks").first().waitFor();
      await context.clearCookies();
      await page.getByRole("link", { name: "Users" }).click();
      const dialog = page.getByRole("dialog", { name: "Sign in again" });
      await dialog.getByText("Your session has ended.").waitFor();
      expect(await dialog.innerText()).not.toContain("typed");
      expectOnly(complaints, /status of 401/);
    });

    test("a fresh unit is told what was never reported, and nothing that its service refuses", async () => {
      const { id } = await ask("/organizational-units", { name: "Without words" });
      const { page } = await open(`/?unit=${id}`, owner);
      await page.getByText("Nothing was reported here yet.").waitFor();
      expect(await page.locator("main").innerText()).not.toMatch(/holdfast demo|30 days/);
    });

    test("the audit trail names what has a name: roles, people, protected items, and the ids in what changed", async () => {
      const { id: role } = await ask("/roles", {
        name: "Named in the trail",
        description: "",
        permissions: ["tasks:read"],
      });
      const unit = (await ask("/organizational-units", { name: "Unit of the trail" })).id;
      const email = "trail@example.org";
      const grants = [{ role_id: role, organizational_unit_ids: [unit] }];
      const { id: user } = await ask("/users", {
        email,
        full_name: "Tara Trail",
        access_control_configuration: grants,
      });
      const item = { type: "host", value: "item-of-the-trail" };
      await ask("/tasks", { category: "backup", type: "tar_create", status: "completed", primary_entity: item });
      const filter = encodeURIComponent(JSON.stringify({ "primary_entity.value": item.value }));
      const [entity] = (await ask(`/entities?filter=${filter}`))._embedded.items;
      await ask(`/entities/${entity.id}`, { is_retired: true }, "PATCH");
      const { page } = await open(`/administration/audit?object=${role}`, owner);
      await rows(page, "Events").first().waitFor();
      for (const object of [role, user, entity.id]) {
        await page.goto(page.url().replace(/object=.*/, `object=${object}`));
        const first = rows(page, "Events").first();
        await first.getByText(/Named in the trail|Tara Trail|item-of-the-trail/).waitFor();
        expect(await first.innerText()).not.toMatch(uuid);
      }
      await page.goto(page.url().replace(/object=.*/, `object=${user}`));
      await page.getByRole("button", { name: "Details" }).last().click();
      const changes = page.getByRole("table", { name: "Changes" });
      await changes.getByText(/Named in the trail.*Unit of the trail/).waitFor();
    });

    test("help explains the words for states, and the keys", async () => {
      const { page } = await open("/tasks", viewer);
      const help = page.getByRole("button", { name: "Help" });
      await help.click();
      await page.getByRole("menuitem", { name: "What the states mean" }).click();
      const states = page.getByRole("dialog", { name: "What the states mean" });
      await states.getByText("Its last good backup is too old.").waitFor();
      await page.keyboard.press("Escape");
      await states.waitFor({ state: "detached" });
      await help.click();
      await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
      await page
        .getByRole("dialog", { name: "Keyboard shortcuts" })
        .getByRole("link", { name: "Turn them off" })
        .click();
      await heading(page, "Your account").waitFor();
    });
  });
}
