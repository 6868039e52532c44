import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openConsole } from "./open-console";

const owner = { email: "maria@example.org", name: "Maria Keller", roles: [{ role: "owner" as const }] };
const folder = join(import.meta.dir, "../../../data/screenshots");

/** Takes a picture of every page, light and dark, wide and narrow, with the data of the demonstration. */
async function takeScreenshots(only: RegExp): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const world = await openConsole({ tasks: 20_000, users: 60 });
  try {
    const { token } = await world.beside.serviceToken("owner");
    const newest = async (filter: object) => {
      const query = `?limit=1&filter=${encodeURIComponent(JSON.stringify(filter))}`;
      const { body } = await world.service.ask(`/tasks${query}`, { token });
      return body._embedded.items[0]?.id ?? "none";
    };
    const { body: users } = await world.service.ask("/users?limit=1", { token });
    const { body: roles } = await world.service.ask("/roles", { token });
    const pages: Record<string, string> = {
      overview: "/",
      tasks: "/tasks",
      "tasks-filtered": "/tasks?outcome=error,lost&since=30d",
      "tasks-none": "/tasks?q=nothing-is-called-so",
      task: `/tasks/${await newest({ outcome: "error" })}`,
      "task-running": `/tasks/${await newest({ status: "in_progress" })}`,
      entities: "/entities",
      monitors: "/monitors",
      users: "/administration/users",
      user: `/administration/users/${users._embedded.items[0].id}`,
      roles: "/administration/roles",
      role: `/administration/roles/${roles._embedded.items[0].id}`,
      units: "/administration/organizational-units",
      tokens: "/administration/api-tokens",
      audit: "/administration/audit",
      keys: "/administration/keys",
      "account-profile": "/account/profile",
      "account-security": "/account/security",
      "account-sessions": "/account/sessions",
      "account-tokens": "/account/tokens",
    };
    for (const [name, path] of Object.entries(pages).filter(([one]) => only.test(one))) {
      for (const colorScheme of ["light", "dark"] as const) {
        for (const [size, width, height] of [
          ["wide", 1280, 900],
          ["phone", 360, 740],
        ] as const) {
          const { page, context, complaints } = await world.open(path, owner, { colorScheme, width, height });
          await page.getByRole("heading", { level: 1 }).waitFor();
          await page.waitForTimeout(700);
          await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
          if (complaints.length > 0) process.stdout.write(`${name}: ${complaints.join("\n")}\n`);
          await context.close();
        }
      }
      process.stdout.write(`${name}\n`);
    }
    const plain = await world.browser.newPage();
    await plain.goto(`${world.service.baseUrl}/console/sign-in`);
    await plain.getByRole("heading", { level: 1 }).waitFor();
    await plain.screenshot({ path: join(folder, "sign-in-wide-light.png") });
  } finally {
    await world.close();
  }
}

await takeScreenshots(new RegExp(process.argv[2] ?? ""));
