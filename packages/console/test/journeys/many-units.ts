import { expect, test } from "bun:test";
import { ask, heading, open, owner, rows, world } from "../shared-world";

export function manyUnits(): void {
  test("more than 1,000 units are read on demand: in the tree, in the switcher, where one is chosen, and by their names in tables", async () => {
    const { id: branches } = await ask("/organizational-units", { name: "Branches" });
    let parent = "";
    for (let at = 1; at <= 1_050; at++) {
      parent = await world.beside.addUnit(`Branch ${String(at).padStart(4, "0")}`, branches);
    }
    const deepest = await world.beside.addUnit("Cellar", parent);
    await world.beside.addTasks([
      { organizational_unit_id: deepest, primary_entity: { type: "host", id: "c", value: "in the cellar" } },
    ]);
    const { page, requests } = await open("/administration/organizational-units", owner);
    await page.getByText(/There are 1,\d+ units/).waitFor();
    const tree = page.getByRole("tree", { name: "Organizational units" });
    await tree.getByRole("treeitem", { name: "Branches" }).waitFor();
    expect(await tree.getByRole("treeitem", { name: /^Branch \d+$/ }).count()).toBe(0);
    await tree.getByRole("treeitem", { name: "Branches" }).focus();
    await page.keyboard.press("ArrowRight");
    await tree.getByRole("treeitem", { name: "Branch 0001" }).waitFor();
    await page.getByRole("searchbox", { name: "Find a unit" }).fill("cellar");
    await tree.getByRole("treeitem", { name: "Cellar" }).waitFor();
    expect(await tree.getByRole("treeitem").allInnerTexts()).toEqual(["Root", "Branches", "Branch 1050", "Cellar"]);
    await tree.getByRole("treeitem", { name: "Cellar" }).click();
    await page.getByRole("region", { name: "Cellar" }).getByText("Root / Branches / Branch 1050 / Cellar").waitFor();
    expect(requests.filter((one) => one.includes("/organizational-units")).length).toBeLessThan(12);

    await page.getByRole("button", { name: "Organizational unit: Root" }).click();
    const dialog = page.getByRole("dialog", { name: "Switch organizational unit" });
    await dialog.getByRole("searchbox", { name: "Find a unit" }).fill("branch 0777");
    await dialog.getByRole("treeitem", { name: "Branch 0777" }).waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("link", { name: "API tokens" }).click();
    await page.getByRole("button", { name: "Create token" }).click();
    const form = page.getByRole("dialog", { name: "Create token" });
    await form.getByRole("searchbox", { name: "Find: Organizational unit" }).fill("cellar");
    await form.getByRole("combobox", { name: "Organizational unit" }).selectOption(deepest);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();

    await page.getByRole("link", { name: "Tasks", exact: true }).click();
    await heading(page, "Tasks").waitFor();
    await page.getByRole("searchbox", { name: "Search by name" }).fill("in the cellar");
    await rows(page, "Tasks").first().getByText("Cellar", { exact: true }).waitFor();
  }, 120_000);
}
