import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type ConsoleWorld, openConsole } from "./open-console";

const owner = { email: "maria@example.org", name: "Maria Keller", roles: [{ role: "owner" as const }] };
const sizes = [
  ["wide", 1280, 900],
  ["phone", 360, 740],
] as const;
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
    const ask = async (path: string, body?: object) =>
      (await world.service.ask(path, { token, ...(body === undefined ? {} : { method: "POST", body }) })).body;
    const first = async (path: string, filter: object = {}) => {
      const query = `?limit=1&filter=${encodeURIComponent(JSON.stringify(filter))}`;
      return (await ask(`${path}${query}`))._embedded.items[0]?.id ?? "none";
    };
    await addWatching(ask);
    const { id: emptyUnit } = await ask("/organizational-units", { name: "New office" });
    const { body: users } = await world.service.ask("/users?limit=1", { token });
    const { body: roles } = await world.service.ask("/roles", { token });
    const pages: Record<string, string> = {
      overview: "/",
      tasks: "/tasks",
      "tasks-filtered": "/tasks?outcome=error,lost&since=30d",
      "tasks-none": "/tasks?q=nothing-is-called-so",
      task: `/tasks/${await newest({ outcome: "error" })}`,
      "task-running": `/tasks/${await newest({ status: "in_progress" })}`,
      "first-steps": `/?unit=${emptyUnit}`,
      entities: "/entities",
      entity: `/entities/${await first("/entities", { state: "failing" })}`,
      "entity-unwatched": `/entities/${await first("/entities", { state: "unwatched" })}`,
      monitors: "/monitors",
      monitor: `/monitors/${await first("/monitors", { name: { $eq: "Photos to the archive" } })}`,
      notifications: "/administration/notifications",
      notification: `/administration/notifications/${await first("/webhooks", { kind: "standard" })}`,
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
        for (const [size, width, height] of sizes) {
          const { page, complaints, leave } = await world.open(path, owner, { colorScheme, width, height });
          await page.getByRole("heading", { level: 1 }).waitFor();
          await page.waitForTimeout(700);
          await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
          if (complaints.length > 0) process.stdout.write(`${name}: ${complaints.join("\n")}\n`);
          await leave();
        }
      }
      process.stdout.write(`${name}\n`);
    }
    await takeSignIn(world);
  } finally {
    await world.close();
  }
}

async function takeSignIn({ browser, service }: ConsoleWorld): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const [size, width, height] of sizes) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height } });
      const page = await context.newPage();
      await page.goto(`${service.baseUrl}/console/sign-in`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.screenshot({ path: join(folder, `sign-in-${size}-${colorScheme}.png`) });
      await context.close();
    }
  }
}

/** Adds what the demonstration has none of: monitors in several states, and notifications with deliveries. */
async function addWatching(ask: (path: string, body?: object) => Promise<{ id: string; ping_url: string }>) {
  const daily = { cron: "30 2 * * *", time_zone: "Europe/Berlin" };
  const names = ["Photos to the archive", "Mail server, nightly", "Ledger database, hourly", "Weekly tape set"];
  for (const [at, name] of names.entries()) {
    const schedule = at === 2 ? { period_seconds: 3600 } : daily;
    const primary_entity = { type: "host", value: name.split(/[ ,]/)[0]?.toLowerCase() ?? name };
    const { ping_url } = await ask("/monitors", { name, type: "restic_backup", schedule, primary_entity });
    const endings = [["", "", "/3", "", ""], ["", "/1"], ["", "/start"], []][at] ?? [];
    for (const [run, ending] of endings.entries()) {
      await fetch(`${ping_url}${ending}?rid=00000000-0000-4000-8000-00000000000${run}`);
    }
  }
  await ask("/ping-keys", { name: "Backrest hosts", type: "restic_backup", may_create: true });
  const events = ["monitor.down", "monitor.up", "task.failed", "task.lost"];
  const chat = "https://hooks.slack.holdfast.invalid/services/T0/B0/x";
  const { id } = await ask("/webhooks", {
    name: "Failures to our program",
    kind: "standard",
    url: "https://hooks.holdfast.invalid/holdfast",
    events,
  });
  await ask("/webhooks", { name: "Chat of the operators", kind: "slack", url: chat, events });
  await ask(`/webhooks/${id}/test`, {});
}

await takeScreenshots(new RegExp(process.argv[2] ?? ""));
