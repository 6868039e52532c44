import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DefaultRole, defaultRoles } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Database } from "../src/database/database";
import { createApp } from "../src/http/app";
import { type ControlPlane, openControlPlane } from "../src/installation/control-plane";
import { createToken } from "../src/resources/api-tokens/store";
import { createUnit } from "../src/resources/organizational-units/store";
import type { TaskRecord } from "../src/resources/tasks/record";
import { insertTasks } from "../src/resources/tasks/reports/store";
import type { WatchLimits } from "../src/resources/tasks/watch/watch-limits";
import { createUser, grantRole } from "../src/resources/users/store";
import { type RawSettings, readSettings } from "../src/settings/settings";
import { createService, type Service, type ServiceParts } from "../src/start/service";
import { createLog } from "../src/telemetry/log";
import { holdDatabase, layTables } from "./folder-database";
import { inStatus, sampleTask } from "./sample-task";

export { inStatus, sampleTask };
export const root = rootUnitId;
export const unitHeaderName = "x-svc-organizationalunit-context";

/** Request of a test. */
export interface Ask {
  method?: string;
  token?: string;
  accept?: string;
  unit?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** The address that it comes from. */
  peer?: string;
}

/** Answer to a request. The body is parsed if it is JSON. */
export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape, wrong ones included.
  body: any;
}

/** A whole service on a database of its own, without a port. */
export interface Plane {
  folder: string;
  databaseUrl: string;
  controlPlane: ControlPlane;
  database: Database;
  service: Service;
  /** The wall clock, which a test can set. */
  clock: { now: number };
  /** Every line that was logged. */
  logged: string[];
  ask(path: string, ask?: Ask): Promise<Answered>;
  /** Asks, and gives the response as it comes. */
  request(path: string, ask?: Ask): Promise<Response>;
  addUnit(name: string, parentId?: string): Promise<string>;
  addUser(user: Partial<NewPerson>): Promise<string>;
  addTasks(tasks: Partial<TaskRecord>[]): Promise<TaskRecord[]>;
  roleId(role: DefaultRole): Promise<string>;
  serviceToken(role: DefaultRole, unitId?: string, life?: number): Promise<{ id: string; token: string }>;
  personalToken(userId: string, unitId?: string, life?: number): Promise<{ id: string; token: string }>;
  close(): Promise<void>;
}

export interface NewPerson {
  id: string;
  email: string;
  name: string;
  isConfirmed: boolean;
  isEnabled: boolean;
  inviterId: string;
  roles: { role: DefaultRole; unitId?: string }[];
}

/** Opens a plane in a new temporary folder, or in one that another plane has left. */
export async function openPlane(
  flags: RawSettings = {},
  given?: string,
  watchLimits: Partial<WatchLimits> = {},
  outboundOptions: ServiceParts["outboundOptions"] = {},
): Promise<Plane> {
  const folder = given ?? makeFolder();
  if (given === undefined) await layTables(folder);
  const held = await holdDatabase(folder);
  const settings = readSettings({
    flags: {
      database_url: held.url,
      rate_limit: "0",
      log_level: "debug",
      base_url: "http://holdfast.test",
      allowed_hosts: "localhost",
      data_dir: folder,
      ...flags,
    },
    environment: {},
    file: null,
  });
  const clock = { now: Date.parse("2026-11-15T12:00:00.000Z") };
  const logged: string[] = [];
  // A busy machine is no silent database: how silence is answered has tests of its own.
  const use = { isServing: true, answerTimeoutMs: 30_000, notify: () => {} };
  const controlPlane = await openControlPlane(settings, clock.now, use).catch(async (error) => {
    await held.release();
    throw error;
  });
  const { database, sealer } = controlPlane;
  const baseUrl = settings.base_url ?? "http://holdfast.test";
  const log = createLog({
    level: settings.log_level,
    output: { write: (text) => logged.push(text), isTerminal: false },
    clock: () => clock.now,
  });
  const service = createService({
    settings,
    controlPlane,
    baseUrl,
    log,
    clock: () => clock.now,
    watchLimits,
    statsIntervalMs: 0,
    outboundOptions,
  });
  const app = createApp(service);
  let people = 0;
  let tasks = 0;

  const roleId = async (role: DefaultRole) => defaultRoles[role].id;

  async function request(
    path: string,
    { method = "GET", token, accept, unit, headers = {}, body, peer = "" }: Ask = {},
  ): Promise<Response> {
    const sent = new Headers(headers);
    if (token !== undefined) sent.set("Authorization", `Bearer ${token}`);
    if (accept !== undefined) sent.set("Accept", accept);
    if (unit !== undefined) sent.set(`x-${settings.vendor}-organizationalunit-context`, unit);
    if (body !== undefined && !sent.has("Content-Type")) sent.set("Content-Type", "application/json");
    const init = { method, headers: sent, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return app.request(`http://localhost${path}`, init, { peer });
  }

  return {
    folder,
    databaseUrl: settings.database_url,
    controlPlane,
    database,
    service,
    clock,
    logged,
    roleId,
    ask: async (path, ask) => readAnswer(await request(path, ask)),
    request,
    addUnit: (name, parentId = root) =>
      database.change((db) => createUnit(db, { name, parentId, createdAt: clock.now })),
    async addUser({ id, email, name, isConfirmed = true, isEnabled = true, inviterId, roles = [] }) {
      people += 1;
      const granted = await Promise.all(
        roles.map(async ({ role, unitId = root }) => ({ roleId: await roleId(role), unitId })),
      );
      return database.change(async (db) => {
        const userId = await createUser(db, {
          ...(id === undefined ? {} : { id }),
          email: email ?? `person-${people}@example.org`,
          fullName: name ?? `Person ${people}`,
          isConfirmed,
          isEnabled,
          inviterId: inviterId ?? null,
          createdAt: clock.now,
        });
        for (const grant of granted) await grantRole(db, { userId, ...grant });
        return userId;
      });
    },
    async addTasks(given) {
      const records = given.map((task) => {
        tasks += 1;
        return { ...sampleTask(tasks), ...(task.status && inStatus(task.status)), ...task };
      });
      await database.change((db) => insertTasks(db, records));
      return records;
    },
    serviceToken: async (role, unitId = root, life = 86_400_000) => {
      const holder = { kind: "service", roleId: await roleId(role) } as const;
      return database.change((db) =>
        createToken(db, sealer, {
          baseUrl,
          now: clock.now,
          token: { name: `${role} token`, unitId, holder, createdBy: null, life },
        }),
      );
    },
    personalToken: (userId, unitId = root, life = 86_400_000) =>
      database.change((db) =>
        createToken(db, sealer, {
          baseUrl,
          now: clock.now,
          token: { name: "personal token", unitId, holder: { kind: "personal", userId }, createdBy: null, life },
        }),
      ),
    async close() {
      await service.tokenUse.flush();
      await service.refusals.flush();
      await database.close();
      await held.release();
      log.flush();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Reads a response whole; of a stream, which goes on, what it begins with. */
export async function readAnswer(response: Response): Promise<Answered> {
  const type = response.headers.get("content-type") ?? "";
  const text = /event-stream/.test(type) ? await readBeginning(response) : await response.text();
  const isJson = /json/.test(type) && text !== "";
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

async function readBeginning({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const begun = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(begun?.value);
}

export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), "holdfast-test-"));
}

/** Walks a list from a path over `next` and gives every item. */
export async function walk(
  plane: Plane,
  path: string,
  ask: Ask,
  visit: (page: Answered) => void | Promise<void> = () => {},
) {
  // biome-ignore lint/suspicious/noExplicitAny: items of every resource.
  const items: any[] = [];
  for (let href: string | undefined = path; href !== undefined; ) {
    const page: Answered = await plane.ask(href, ask);
    if (page.status !== 200) throw new Error(`${href} answered ${page.status}: ${page.text}`);
    items.push(...page.body._embedded.items);
    await visit(page);
    href = page.body._links.next?.href;
  }
  return items;
}
