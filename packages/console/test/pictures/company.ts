import { password } from "../../../server/test/access/people";
import type { Answered } from "../../../server/test/harness";
import { startProcess } from "../../../server/test/process";
import { type ConsoleWorld, openConsole } from "../open-console";

export const owner = { email: "maria.keller@example.com", name: "Maria Keller", roles: [{ role: "owner" as const }] };
export const viewer = { email: "jonas.weber@example.com", name: "Jonas Weber", roles: [{ role: "viewer" as const }] };
const root = "00000000-0000-0000-0000-000000000000";

/** The demonstration's company, with what people have done there besides. */
export interface Company {
  world: ConsoleWorld;
  /** Asks as the owner. */
  ask: Ask;
  /** A service that was just installed: no owner, no data, a provider to sign in with. */
  fresh: { baseUrl: string; ownerLink: string };
  /** By the names that addresses of scenes have in braces. */
  ids: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

type Ask = (path: string, body?: object, method?: string) => Promise<Answered["body"]>;

/** Starts it. */
export async function openCompany(tasks: number): Promise<Company> {
  const world = await openConsole({ tasks, users: 60 });
  const fresh = await startProcess({
    environment: {
      HOLDFAST_OIDC_ISSUER: "http://127.0.0.1:9",
      HOLDFAST_OIDC_CLIENT_ID: "holdfast",
      HOLDFAST_OIDC_CLIENT_SECRET: "no secret of a provider",
      HOLDFAST_OIDC_NAME: "Nordhavn ID",
    },
  });
  // Makes the person, whom the next line signs in.
  const visit = await world.open("/account/profile", owner);
  await visit.leave();
  const ask = await signIn(world, owner.email);
  const ids = await addWork(world, ask);
  return {
    world,
    ask,
    fresh: { baseUrl: fresh.baseUrl, ownerLink: fresh.printed().match(/https?:\S+\/first-owner#[\w-]+/)?.[0] ?? "" },
    ids,
    async close() {
      await world.close();
      await fresh.stop();
    },
  };
}

/** Signs in as a browser does, so that the audit trail has the person's name. */
async function signIn({ service }: ConsoleWorld, email: string): Promise<Ask> {
  const browser = {
    "User-Agent": "Mozilla/5.0 (Macintosh; Intel Mac OS X 14.7; rv:145.0) Gecko/20100101 Firefox/145.0",
  };
  const sent = { method: "POST", headers: browser, body: { email, password } };
  const { headers, body } = await service.ask("/session", sent);
  const session = {
    ...browser,
    Cookie: headers.get("set-cookie")?.split(";")[0] ?? "",
    "X-CSRF-Token": body.csrf_token,
  };
  return async (path, sent, method = sent === undefined ? "GET" : "POST") => {
    const answered = await service.ask(path, {
      method,
      headers: { ...session, Origin: service.baseUrl },
      ...(sent === undefined ? {} : { body: sent }),
    });
    if (answered.status >= 400) throw new Error(`${method} ${path} answered ${answered.status}: ${answered.text}`);
    return answered.body;
  };
}

function filtered(path: string, filter: object, limit = 1): string {
  return `${path}?limit=${limit}&filter=${encodeURIComponent(JSON.stringify(filter))}`;
}

async function addWork(world: ConsoleWorld, ask: Ask): Promise<Record<string, string>> {
  const first = async (path: string, filter: object = {}): Promise<string> =>
    (await ask(filtered(path, filter)))._embedded.items[0]?.id ?? "none";
  const unit = (name: string) => first("/organizational-units", { name: { $eq: name } });
  const role = (name: string) => first("/roles", { name: { $eq: name } });
  await ask(`/organizational-units/${root}`, { name: "Nordhavn Group" }, "PATCH");
  const hamburg = await unit("Hamburg");
  const lyon = await unit("Lyon");
  const office = await ask("/organizational-units", { name: "Rotterdam", parent_id: await unit("Europe") });
  const auditors = await ask("/roles", {
    name: "auditor",
    description: "Reads everything, the audit trail included.",
    permissions: ["tasks:read", "entities:read", "monitors:read", "users:read", "audit-events:read"],
  });
  const { id: bothId } = await ask("/users", {
    email: "sofia.lindqvist@example.com",
    full_name: "Sofia Lindqvist",
    access_control_configuration: [{ role_id: auditors.id, organizational_unit_ids: [root] }],
  });
  const token = async (name: string, roleName: string, unitId: string, days: number) => {
    const made = { name, kind: "service", role_id: await role(roleName), organizational_unit_id: unitId };
    const expires_timestamp = new Date(Date.now() + days * 86_400_000).toISOString();
    return await ask("/api-tokens", { ...made, expires_timestamp });
  };
  await token("Grafana dashboard", "viewer", root, 365);
  const reporter = await token("Runners in Hamburg", "reporter", hamburg, 90);
  const { id: expiring } = await token("Runners in Lyon", "reporter", lyon, 9);
  // A token that was made for fewer days is not announced.
  await world.beside.database.change((db) =>
    db
      .updateTable("api_tokens")
      .set({ created_at: Date.now() - 80 * 86_400_000 })
      .where("id", "=", expiring)
      .execute(),
  );
  await token("Ticket system", "operator", root, 180);
  const { id: old } = await token("Migration of 2025", "admin", root, 30);
  await ask(`/api-tokens/${old}`, undefined, "DELETE");
  await ask("/api-tokens", {
    name: "My laptop",
    kind: "personal",
    organizational_unit_id: root,
    expires_timestamp: new Date(Date.now() + 80 * 86_400_000).toISOString(),
  });
  const views = [
    { name: "Failures of the week", query: "outcome=error,lost&since=7d", is_shared: true },
    { name: "Restores", query: "category=restore&since=30d" },
    { name: "Missed or expired in the last 30 days, by all engines", query: "outcome=missed,expired&since=30d" },
  ];
  for (const view of views) await ask("/views", { page: "tasks", ...view });
  await ask("/keys", undefined, "POST");
  await refuseOnce(world);
  const running = await beginTask(world, reporter.token);
  const failed = await failedWithLog(world, ask);
  const users = await ask("/users?limit=1");
  return {
    running,
    failed,
    office: office.id,
    hamburg,
    entity: await first("/entities", { state: "failing", is_muted: false }),
    stale: await first("/entities", { state: "stale" }),
    unwatched: await first("/entities", { state: "unwatched" }),
    missed: await first("/monitors", { state: "missed" }),
    failing: await first("/monitors", { state: "failed" }),
    waiting: await first("/monitors", { state: "waiting" }),
    webhook: await first("/webhooks", { name: { $eq: "Compliance archive" } }),
    broken: await first("/webhooks", { name: { $eq: "Tickets for wrong passwords" } }),
    user: users._embedded.items[0].id,
    both: bothId,
    admin: await role("admin"),
    auditor: auditors.id,
  };
}

/** A viewer tries what a viewer may not do. */
async function refuseOnce(world: ConsoleWorld): Promise<void> {
  const visit = await world.open("/account/profile", viewer);
  await visit.leave();
  const ask = await signIn(world, viewer.email);
  await ask("/roles", { name: "mine", description: "", permissions: [] }).catch(() => undefined);
}

const printed = [
  "open repository",
  "repository 5a1f3c07 opened (version 2, compression level auto)",
  "lock repository",
  "using parent snapshot 8c04f1de",
  "load index files",
  "start scan on [/etc /srv /var/lib]",
  "start backup on [/etc /srv /var/lib]",
  "scan finished in 14.206s: 482910 files, 66.481 GiB",
  "new      /srv/shop/media/2026/11/16/catalogue.pdf",
  "modified /var/lib/postgresql/16/main/base/16384/2619",
  "modified /srv/shop/sessions.db",
];

/** A task that runs while the pictures are taken, and that can be aborted. */
async function beginTask({ service }: ConsoleWorld, token: string): Promise<string> {
  const id = crypto.randomUUID();
  const report = async (path: string, body: object, method = "POST") => {
    const answered = await service.ask(path, { token, method, body });
    if (answered.status >= 400) throw new Error(answered.text);
  };
  await report("/tasks", {
    id,
    category: "backup",
    type: "restic_backup",
    status: "in_progress",
    age_ms: 252_000,
    primary_entity: { type: "host", value: "ham-ops-web-02.example.com" },
    runner: { host: "ham-ops-web-02.example.com", version: "holdfast run 0.1.0" },
    can_abort: true,
    lease_seconds: 3600,
    sequence: 1,
  });
  await report(
    `/tasks/${id}`,
    { progress_percentage: 62, progress_message: "41.2 of 66.5 GiB, 312 MiB/s", sequence: 2 },
    "PATCH",
  );
  await report(`/tasks/${id}/log`, { offset: 0, text: `${printed.join("\n")}\n` });
  return id;
}

/** The newest failed task that has a log. */
async function failedWithLog({ service, beside }: ConsoleWorld, ask: Ask): Promise<string> {
  const { token } = await beside.serviceToken("viewer");
  const { _embedded } = await ask(filtered("/tasks", { outcome: "error", category: "backup" }, 40));
  for (const { id } of _embedded.items) {
    const { body } = await service.ask(`/tasks/${id}/log?tail=64`, { token });
    if (body.size > 200) return id;
  }
  return _embedded.items[0].id;
}
