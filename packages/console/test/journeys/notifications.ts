import { describe, expect, test } from "bun:test";
import { ask, expectOnly, open, owner, rows, world } from "../shared-world";

export function notifications(): void {
  describe("notifications", () => {
    test("a webhook is made with its secret shown once; a test that fails says why, and can be sent again", async () => {
      const { page, complaints } = await open("/administration/notifications", owner);
      await page.getByRole("button", { name: "Create notification" }).click();
      const dialog = page.getByRole("dialog", { name: "Create notification" });
      await dialog.getByLabel("Name").fill("To our program");
      await dialog.getByRole("combobox", { name: "Kind" }).selectOption({ label: "Webhook" });
      await dialog.getByLabel("Address").fill("https://10.0.0.7/hook");
      const events = dialog.getByRole("group", { name: "Events" });
      expect(await events.getByRole("checkbox", { checked: true }).count()).toBe(5);
      await dialog.getByRole("button", { name: "Save notification" }).click();
      await dialog.getByText("webhook_allowed_targets").waitFor();
      await dialog.getByLabel("Address").fill("https://hooks.holdfast.invalid/hook");
      await dialog.getByRole("button", { name: "Save notification" }).click();
      const once = page.getByRole("dialog", { name: "Notification created" });
      const secret = await once.getByRole("textbox", { name: "Secret" }).inputValue();
      expect(secret).toStartWith("whsec_");
      await once.getByRole("checkbox", { name: "I have stored this secret" }).check();
      await once.getByRole("button", { name: "Done" }).click();
      await page.getByRole("heading", { level: 1, name: "To our program" }).waitFor();
      expect(await page.content()).not.toContain(secret);

      await page.getByRole("button", { name: "Send test" }).click();
      await page.getByRole("status", { name: "Test" }).getByText("not delivered").waitFor();
      const first = rows(page, "Deliveries").first();
      await first.getByText("Failed").waitFor();
      await first.getByRole("button", { name: "Send again" }).click();
      await first.getByRole("cell", { name: "2", exact: true }).waitFor();
      expectOnly(complaints, /status of 422/);

      const id = new URL(page.url()).pathname.split("/").at(-1);
      await page.getByRole("button", { name: "Edit" }).click();
      const edit = page.getByRole("dialog", { name: "Edit notification" });
      await edit.getByLabel("Name").fill("My name");
      await ask(`/webhooks/${id}`, { name: "Their name" }, "PATCH");
      await edit.getByRole("button", { name: "Save notification" }).click();
      const changed = page.getByRole("dialog", { name: "Changed meanwhile" });
      await changed.getByText("Their name").waitFor();
      await changed.getByRole("button", { name: "Save mine" }).click();
      await page.getByRole("heading", { level: 1, name: "My name" }).waitFor();
      expectOnly(complaints, /status of 412/);
    });

    test("one that Holdfast has switched off says why, and is switched on again", async () => {
      const { id } = await ask("/webhooks", {
        name: "Gone",
        kind: "standard",
        url: "https://hooks.holdfast.invalid/gone",
        events: ["task.failed"],
      });
      await world.beside.database.change((db) =>
        db
          .updateTable("webhooks")
          .set({ is_enabled: 0, disabled_reason: "the receiver answered 410 Gone" })
          .where("id", "=", id)
          .execute(),
      );
      const { page } = await open("/administration/notifications", owner);
      await rows(page, "Notifications").filter({ hasText: "Gone" }).getByText("Switched off").waitFor();
      await page.getByRole("link", { name: "Gone", exact: true }).click();
      await page.getByRole("alert").getByText("410 Gone").waitFor();
      await page.getByRole("button", { name: "Switch on" }).click();
      await page.getByRole("button", { name: "Switch off" }).waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
    });
  });
}
