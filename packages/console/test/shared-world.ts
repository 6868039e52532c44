import { afterAll, afterEach, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { clientId, clientSecret, startProvider, type TestProvider } from "../../server/test/access/openid-provider";
import { findSteadyPort } from "../../server/test/steady-port";
import { type ConsoleWorld, openConsole, type Visit } from "./open-console";

export const owner = { email: "owner@example.org", name: "Olga Owner", roles: [{ role: "owner" as const }] };
export const viewer = { email: "viewer@example.org", name: "Vera Viewer", roles: [{ role: "viewer" as const }] };
export const operator = { email: "op@example.org", name: "Otto", roles: [{ role: "operator" as const }] };
export const isLong = process.env.HOLDFAST_TEST_LONG === "1";

/** The one service, the one browser and the one OpenID provider of all journeys. */
export let world: ConsoleWorld;
export let provider: TestProvider;
let ownerToken = "";
let visits: Visit[] = [];

/** Starts them before the tests of a file. After each test no browser may have complained, nor asked another origin. */
export function shareWorld(): void {
  beforeAll(async () => {
    const port = await findSteadyPort();
    provider = await startProvider(`http://127.0.0.1:${port}/sign-in/oidc/callback`);
    const environment = {
      HOLDFAST_OIDC_ISSUER: provider.issuer,
      HOLDFAST_OIDC_CLIENT_ID: clientId,
      HOLDFAST_OIDC_CLIENT_SECRET: clientSecret,
      HOLDFAST_OIDC_NAME: "Example",
      HOLDFAST_OIDC_SCOPES: "openid email profile groups",
      HOLDFAST_OIDC_GROUP_ROLES: "staff=viewer",
    };
    world = await openConsole({ environment, port, tasks: 150, users: 8 });
    ownerToken = (await world.beside.serviceToken("owner")).token;
  }, 240_000);
  afterAll(async () => {
    await world.close();
    await provider.close();
  });
  afterEach(async () => {
    const complaints = visits.flatMap((visit) => visit.complaints);
    const outside = visits.flatMap(({ requests }) => requests.filter((one) => !one.includes(world.service.baseUrl)));
    await Promise.all(visits.map(({ leave }) => leave()));
    visits = [];
    expect({ complaints, outside }).toEqual({ complaints: [], outside: [] });
  });
}

/** Opens a tab as a person, until the end of the test. */
export async function open(...[path, person, options]: Parameters<ConsoleWorld["open"]>): Promise<Visit> {
  const visit = await world.open(path, person, options);
  visits.push(visit);
  return visit;
}

/** Opens a tab without a session, until the end of the test. */
export async function openSignedOut(path: string): Promise<Visit> {
  const visit = await world.openSignedOut(path);
  visits.push(visit);
  return visit;
}

/** Expects the browser's own lines on answers that had to come, and nothing else. */
export function expectOnly(complaints: string[], pattern: RegExp): void {
  expect(complaints.filter((one) => !pattern.test(one))).toEqual([]);
  complaints.length = 0;
}

export const heading = (page: Page, name?: string) =>
  page.getByRole("heading", { level: 1, ...(name === undefined ? {} : { name, exact: true }) });
export const rows = (page: Page, table: string) => page.getByRole("table", { name: table }).locator("tbody tr");

/** Asks the API as an owner does. */
export async function ask(path: string, body?: unknown, method = body === undefined ? "GET" : "POST") {
  return (await world.service.ask(path, { token: ownerToken, method, ...(body === undefined ? {} : { body }) })).body;
}

export async function totalOf(filter: object, unit?: string): Promise<number> {
  const query = `/tasks?limit=1&filter=${encodeURIComponent(JSON.stringify(filter))}`;
  const { body } = await world.service.ask(query, { token: ownerToken, ...(unit === undefined ? {} : { unit }) });
  return body.total_count;
}

/** Says what was measured, in long runs: others would only be longer to read. */
export function measured(what: string, milliseconds: number): void {
  if (isLong) process.stdout.write(`${what}: ${Math.round(milliseconds)} ms\n`);
}

/** Leads a tab to another page of the console without loading it again, as a link does. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, "", ${JSON.stringify(`/console${path}`)})`);
}

/** Description that assistive programs read of a control beside its name. */
export async function descriptionOf({ page, context }: Visit, role: string, name: string): Promise<string> {
  const session = await context.newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  const found = nodes.find((node) => node.role?.value === role && node.name?.value === name);
  return found?.description?.value ?? "";
}
