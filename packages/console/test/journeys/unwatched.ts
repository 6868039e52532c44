import { describe, expect, test } from "bun:test";
import { ask, open, owner, rows, viewer, world } from "../shared-world";

const day = 86_400_000;

/** Makes a unit in which each of these items has run every night, and nothing watches it. */
async function makeUnwatchedItems(name: string, items: readonly string[]) {
  const { id: unit } = await ask("/organizational-units", { name });
  const { token } = await world.beside.serviceToken("reporter", unit);
  const report = (value: string, age_ms: number) =>
    world.service.ask("/tasks", {
      token,
      method: "POST",
      body: {
        category: "backup",
        type: "restic_backup",
        status: "completed",
        primary_entity: { type: "host", value },
        age_ms,
      },
    });
  for (const value of items) {
    for (let nights = 6; nights > 0; nights -= 1) await report(value, nights * day - day / 2);
  }
  return unit;
}

export function unwatched(): void {
  describe("items that nobody watches", () => {
    test("keep the verdict from being green until monitors are created for them", async () => {
      const unit = await makeUnwatchedItems("Nobody watches", ["db-1", "db-2"]);
      const { page } = await open(`/?unit=${unit}`, owner);
      const verdict = page.getByRole("status", { name: "Protection" });
      await verdict.getByText("No monitor watches any of the 2 protected items").waitFor();
      await verdict
        .getByText("2 items have a good backup, but no monitor watches them: if the next one does not come")
        .waitFor();
      expect(await verdict.getAttribute("class")).toBe("verdict look-incomplete");
      await verdict.getByRole("button", { name: "Create monitors for them" }).click();
      const dialog = page.getByRole("dialog", { name: "Create monitors" });
      await dialog.getByRole("checkbox", { name: "db-2" }).uncheck();
      await dialog.getByRole("button", { name: "Create 1 monitor" }).click();
      await verdict.getByText("1 of 2 protected items has a good backup and is watched").waitFor();
      await verdict.getByText("1 item has a good backup, but no monitor watches it").waitFor();
      await verdict.getByRole("button", { name: "Create a monitor for it" }).click();
      await dialog.getByRole("button", { name: "Create 1 monitor" }).click();
      await verdict.getByText("All 2 protected items have a good backup and are watched").waitFor();
      expect(await verdict.getAttribute("class")).toBe("verdict look-good");
      expect(await verdict.getByRole("button").count()).toBe(0);
    });

    test("are listed behind a link, and who may not create monitors reads why", async () => {
      const unit = await makeUnwatchedItems("Viewed unit", ["files-1"]);
      const { page } = await open(`/?unit=${unit}`, viewer);
      const verdict = page.getByRole("status", { name: "Protection" });
      expect(await verdict.getByRole("button", { name: "Create a monitor for it" }).isDisabled()).toBe(true);
      await verdict.getByRole("link", { name: "Show it" }).click();
      await rows(page, "Protected items").filter({ hasText: "files-1" }).getByText("Unwatched").waitFor();
      expect(await rows(page, "Protected items").count()).toBe(1);
    });

    test("whose only item is muted are not called good", async () => {
      const unit = await makeUnwatchedItems("All muted", ["nas-1"]);
      const { _embedded } = await ask(
        `/entities?filter=${encodeURIComponent(JSON.stringify({ organizational_unit_id: unit }))}`,
      );
      await ask(
        `/entities/${_embedded.items[0].id}`,
        { muted_until: new Date(Date.now() + day).toISOString() },
        "PATCH",
      );
      const { page } = await open(`/?unit=${unit}`, viewer);
      const verdict = page.getByRole("status", { name: "Protection" });
      await verdict.getByText("1 muted item is not counted").waitFor();
      expect(await verdict.getAttribute("class")).toBe("verdict look-neutral");
    });
  });
}
