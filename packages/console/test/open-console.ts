import type { Browser, BrowserContext, Page } from "playwright-core";
import { addPerson, password } from "../../server/test/access/people";
import { makeFolder, type NewPerson, type Plane } from "../../server/test/harness";
import { runHoldfast, type ServerProcess, startProcess } from "../../server/test/process";
import { startBrowser } from "../../server/test/start-browser";

/** A name that leads to this machine in the browser alone, and that no browser takes for this machine. */
export const plainHost = "holdfast.test";

/** A real service with the data of the demonstration, and a browser. */
export interface ConsoleWorld {
  service: ServerProcess;
  /** Stops the service, and gives how to start it again at the same address. */
  stopService(): Promise<() => Promise<void>>;
  beside: Plane;
  browser: Browser;
  /** Opens a tab as a person who is signed in. No two people share a browser's state at the same time. */
  open(path: string, as: Partial<NewPerson>, options?: OpenOptions): Promise<Visit>;
  /** Opens a tab in which no person is signed in. */
  openSignedOut(path: string): Promise<Visit>;
  close(): Promise<void>;
}

export interface OpenOptions {
  colorScheme?: "light" | "dark";
  width?: number;
  height?: number;
  /** Where the person is; in the zone of this machine where it is not said. */
  zone?: string;
}

/** A tab, and what its browser complained of. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  complaints: string[];
  /** Every request that it has made: method and path. */
  requests: string[];
  /** Ends it. The tab is kept for the next visit: a new one would start a process, and compile the console again. */
  leave(): Promise<void>;
}

export interface ConsoleOptions {
  tasks?: number;
  users?: number;
  environment?: Record<string, string>;
  /** Where the service listens; the system chooses where it is not said. */
  port?: number;
  /** True if scripts are as fast as for people, which pays in long visits alone. */
  isFast?: boolean;
  /** A folder with data; a new one with made-up data where it is not said. */
  folder?: string;
}

async function makeDemo(tasks: number, users: number): Promise<string> {
  const folder = makeFolder();
  const demo = await runHoldfast(folder, ["demo", "--tasks", String(tasks), "--users", String(users)]);
  if (demo.exitCode !== 0) throw new Error(demo.errors);
  return folder;
}

/** Starts a service with made-up data, and a browser. */
export async function openConsole({
  tasks = 400,
  users = 20,
  environment = {},
  port,
  folder,
  isFast = false,
}: ConsoleOptions = {}): Promise<ConsoleWorld> {
  const data = folder ?? (await makeDemo(tasks, users));
  const address = port === undefined ? {} : { port: String(port), base_url: `http://127.0.0.1:${port}` };
  const start = () => startProcess({ folder: data, environment, flags: { ...address, allowed_hosts: plainHost } });
  const [started, browser] = await Promise.all([
    start(),
    startBrowser(`--host-resolver-rules=MAP ${plainHost} 127.0.0.1`, ...(isFast ? ["--js-flags="] : [])),
  ]);
  let service = started;
  const beside = await service.openBeside();
  const cookies = new Map<string, Parameters<BrowserContext["addCookies"]>[0]>();
  const free = new Map<string, Page[]>();

  /** A page of the same origin that does nothing. */
  const stillPage = `${started.baseUrl}/readyz`;

  async function signIn(context: BrowserContext, person: Partial<NewPerson>): Promise<void> {
    const email = person.email ?? "";
    const known = cookies.get(email);
    if (known) return context.addCookies(known);
    await addPerson(beside, person);
    await context.request.post(`${service.baseUrl}/session`, { data: { email, password } });
    cookies.set(email, await context.cookies());
  }

  async function visit(path: string, person: Partial<NewPerson> | undefined, options: OpenOptions): Promise<Visit> {
    const { colorScheme = "light", width = 1280, height = 900, zone } = options;
    const look = `${colorScheme} ${width} ${height} ${zone}`;
    const place = zone === undefined ? {} : { timezoneId: zone };
    const page =
      free.get(look)?.pop() ??
      (await (
        await browser.newContext({ colorScheme, viewport: { width, height }, reducedMotion: "reduce", ...place })
      ).newPage());
    const context = page.context();
    if (person) await signIn(context, person);
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on("pageerror", ({ message }) => complaints.push(message));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("request", (request) => requests.push(`${request.method()} ${request.url()}`));
    page.setDefaultTimeout(Number(process.env.PAGE_TIMEOUT_MS ?? 60_000));
    await page.goto(path.startsWith("/") ? `${service.baseUrl}/console${path}` : path);
    const leave = async () => {
      const events = ["pageerror", "console", "request", "response", "dialog"] as const;
      for (const event of events) page.removeAllListeners(event);
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await Promise.all(context.pages().map((one) => (one === page ? page.goto(stillPage) : one.close())));
      await context.clearCookies();
      free.set(look, [...(free.get(look) ?? []), page]);
    };
    return { page, context, complaints, requests, leave };
  }

  return {
    get service() {
      return service;
    },
    async stopService() {
      await service.stop();
      return async () => {
        service = await start();
      };
    },
    beside,
    browser,
    open: (path, person, options = {}) => visit(path, person, options),
    openSignedOut: (path) => visit(path, undefined, {}),
    async close() {
      await browser.close();
      await service.stop();
      await beside.close();
    },
  };
}
