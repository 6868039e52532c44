import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ask, expectOnly, go, open, owner, rows, world } from "../shared-world";

/** Something that two people edit at the same time, and how one of them does. */
interface Edited {
  what: string;
  /** Makes it, and gives its address in the API and in the console. */
  make: () => Promise<{ path: string; address: string }>;
  /** Change by the other person. */
  theirs: object;
  /** Lets something else happen after that, before it is saved. */
  meanwhile?: (page: Page, path: string) => Promise<void>;
  /** Edits it, up to what saves. */
  edit: (page: Page) => Promise<void>;
  save: string;
  /** Texts of both versions. */
  shown: { theirs: string; yours: string };
  /** Stored fields after "Save mine". */
  saved: object;
}

async function made(path: string, body: object, console: string) {
  const { id } = await ask(path, body);
  return { path: `${path}/${id}`, address: console.replace("{id}", id) };
}

const edited: readonly Edited[] = [
  {
    what: "role",
    make: () =>
      made("/roles", { name: "auditor", description: "", permissions: ["tasks:read"] }, "/administration/roles/{id}"),
    theirs: { permissions: ["tasks:read", "users:read"] },
    edit: (page) => page.getByLabel("Name").fill("auditor of mine"),
    save: "Save changes",
    shown: { theirs: "users:read", yours: "auditor of mine" },
    saved: { name: "auditor of mine", permissions: ["tasks:read"] },
  },
  {
    what: "unit",
    make: () =>
      made("/organizational-units", { name: "Doubled" }, "/administration/organizational-units?selected={id}"),
    theirs: { name: "Theirs" },
    edit: async (page) => {
      await page.getByRole("region", { name: "Doubled" }).waitFor();
      const opened = page.waitForResponse((response) => /\/organizational-units\/[^/]+$/.test(response.url()));
      await page.getByRole("button", { name: "Rename" }).click();
      await opened;
      await page.getByRole("dialog", { name: "Rename unit" }).getByLabel("Name").fill("Mine");
    },
    save: "Rename unit",
    shown: { theirs: "Theirs", yours: "Mine" },
    saved: { name: "Mine" },
  },
  {
    what: "monitor",
    make: () => made("/monitors", { name: "Doubled", schedule: { period_seconds: 86_400 } }, "/monitors/{id}"),
    theirs: { grace_seconds: 300 },
    // A run makes the page read the monitor again, and what the other person has changed with it.
    meanwhile: async (page, path) => {
      const isRead = page.waitForResponse(
        async (response) =>
          new URL(response.url()).pathname === path &&
          response.request().method() === "GET" &&
          (await response.json()).grace_seconds === 300,
      );
      const monitor_id = path.split("/").at(-1);
      await ask("/tasks", { category: "backup", type: "tar_create", status: "completed", monitor_id });
      await isRead;
    },
    edit: async (page) => {
      await page.getByRole("button", { name: "Edit" }).click();
      await page.getByRole("dialog", { name: "Edit monitor" }).getByLabel("Name").fill("Mine");
    },
    save: "Save monitor",
    shown: { theirs: "5 min", yours: "Mine" },
    saved: { name: "Mine", grace_seconds: 3600 },
  },
  {
    what: "token",
    make: async () => {
      const [role] = (await ask("/roles?limit=100"))._embedded.items.filter(
        (one: { name: string }) => one.name === "viewer",
      );
      return made(
        "/api-tokens",
        { name: "Doubled", kind: "service", role_id: role.id },
        "/administration/api-tokens?q=Doubled",
      );
    },
    theirs: { name: "Theirs" },
    edit: async (page) => {
      await rows(page, "API tokens").first().waitFor();
      const opened = page.waitForResponse((response) => /\/api-tokens\/[^/]+$/.test(response.url()));
      await page.getByRole("button", { name: "Actions for Doubled" }).click();
      await page.getByRole("menuitem", { name: "Rename" }).click();
      await opened;
      await page.getByRole("dialog", { name: "Rename token" }).getByLabel("Name").fill("Mine");
    },
    save: "Rename token",
    shown: { theirs: "Theirs", yours: "Mine" },
    saved: { name: "Mine" },
  },
];

export function conflicts(): void {
  describe("two people edit the same", () => {
    test("33: two admins edit one user: the second sees both versions, and nothing is lost", async () => {
      const id = await world.beside.addUser({ email: "both@example.org", name: "Before", roles: [{ role: "viewer" }] });
      const first = await open(`/administration/users/${id}`, owner);
      const second = await open(`/administration/users/${id}`, {
        email: "adm@example.org",
        name: "Adam",
        roles: [{ role: "admin" }],
      });
      await first.page.getByLabel("Full name").fill("Theirs name");
      await second.page.getByLabel("Full name").fill("Mine name");
      await first.page.getByRole("button", { name: "Save changes" }).click();
      await first.page.getByText("Saved.").waitFor();
      await second.page.getByRole("button", { name: "Save changes" }).click();
      const dialog = second.page.getByRole("dialog", { name: "Changed meanwhile" });
      await dialog.getByRole("region", { name: "Theirs" }).getByText("Theirs name").waitFor();
      await dialog.getByRole("region", { name: "Yours" }).getByText("Mine name").waitFor();
      await dialog.getByRole("button", { name: "Close" }).click();
      expect(await second.page.getByLabel("Full name").inputValue()).toBe("Mine name");
      await second.page.getByRole("button", { name: "Save changes" }).click();
      await dialog.getByRole("button", { name: "Save mine" }).click();
      await second.page.getByText("Saved.").waitFor();
      expect((await ask(`/users/${id}`)).full_name).toBe("Mine name");
      expectOnly(second.complaints, /status of 412/);
    });

    test("33: an item that another person has retired is not muted unasked; a run that was reported meanwhile asks nothing", async () => {
      const primary_entity = { type: "host", value: "muted-by-two" };
      const report = () =>
        ask("/tasks", { category: "backup", type: "tar_create", status: "completed", primary_entity });
      await report();
      const filter = encodeURIComponent(JSON.stringify({ "primary_entity.value": "muted-by-two" }));
      const [{ id }] = (await ask(`/entities?filter=${filter}`))._embedded.items;
      const { page, complaints } = await open(`/entities/${id}`, owner);
      const pressed = (name: string) => page.getByRole("button", { name, exact: true });
      await pressed("Mute").waitFor();
      await report();
      // The page would show the other person's changes as soon as it read the item by itself, so it reads it after a conflict alone.
      let conflicts = 0;
      await page.route(
        (url) => url.pathname === `/entities/${id}`,
        async (route) => {
          if (route.request().method() === "GET") return conflicts-- > 0 ? route.continue() : undefined;
          const response = await route.fetch();
          conflicts = Number(response.status() === 412);
          await route.fulfill({ response });
        },
      );
      await pressed("Mute").click();
      await pressed("Unmute").waitFor();
      const { muted_until } = await ask(`/entities/${id}`);
      await ask(`/entities/${id}`, { is_retired: true }, "PATCH");
      await pressed("Unmute").click();
      const dialog = page.getByRole("dialog", { name: "Changed meanwhile" });
      const [theirs, yours] = ["Theirs", "Yours"].map((name) => dialog.getByRole("region", { name }));
      await theirs?.getByText("yes").waitFor();
      await yours?.getByText("not muted").waitFor();
      await dialog.getByRole("button", { name: "Close" }).click();
      expect(await ask(`/entities/${id}`)).toMatchObject({ muted_until, is_retired: true });
      await pressed("Unmute").click();
      await dialog.getByRole("button", { name: "Save mine" }).click();
      await pressed("Bring back").waitFor();
      expect(await ask(`/entities/${id}`)).toMatchObject({ muted_until: null, is_retired: true });
      await ask(`/entities/${id}`, { is_retired: false }, "PATCH");
      await pressed("Bring back").click();
      await dialog.getByRole("button", { name: "Take theirs" }).click();
      await pressed("Retire").waitFor();
      expectOnly(complaints, /status of 412/);
    });

    test("33: it is so for every other item that is edited, and one's own or the other version can be taken", async () => {
      const { page, complaints } = await open("/administration/keys", owner);
      for (const { make, theirs, meanwhile, edit, save, shown, saved } of edited) {
        const { path, address } = await make();
        await go(page, address);
        await edit(page);
        await ask(path, theirs, "PATCH");
        await meanwhile?.(page, path);
        await page.getByRole("button", { name: save, exact: true }).click();
        const dialog = page.getByRole("dialog", { name: "Changed meanwhile" });
        await dialog.getByRole("region", { name: "Theirs" }).getByText(shown.theirs).first().waitFor();
        await dialog.getByRole("region", { name: "Yours" }).getByText(shown.yours).first().waitFor();
        await dialog.getByRole("button", { name: "Save mine" }).click();
        await dialog.waitFor({ state: "hidden" });
        expect(await ask(path)).toMatchObject(saved);
      }
      const { path, address } = await made(
        "/roles",
        { name: "taken", description: "", permissions: ["tasks:read"] },
        "/administration/roles/{id}",
      );
      await go(page, address);
      await page.getByLabel("Name").fill("taken by me");
      await ask(path, { description: "as they said" }, "PATCH");
      await page.getByRole("button", { name: "Save changes" }).click();
      await page
        .getByRole("dialog", { name: "Changed meanwhile" })
        .getByRole("button", { name: "Take theirs" })
        .click();
      expect(await page.getByLabel("Name").inputValue()).toBe("taken");
      expect(await page.getByLabel("What it is for").inputValue()).toBe("as they said");
      expectOnly(complaints, /status of 412/);
    });
  });
}
