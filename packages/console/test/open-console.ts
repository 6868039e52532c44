import type { Browser, BrowserContext, Page } from "playwright-core";
import { addPerson, password } from "../../server/test/access/people";
import { makeFolder, type NewPerson, type Plane } from "../../server/test/harness";
import { runHoldfast, type ServerProcess, startProcess } from "../../server/test/process";
import { startBrowser } from "../../server/test/start-browser";

/** A real service with the data of the demonstration, and a browser. */
export interface ConsoleWorld {
  service: ServerProcess;
  beside: Plane;
  browser: Browser;
  /** Opens a tab in a browser of its own, as a person who is signed in. */
  open(path: string, as: Partial<NewPerson>, options?: OpenOptions): Promise<Visit>;
  close(): Promise<void>;
}

export interface OpenOptions {
  colorScheme?: "light" | "dark";
  width?: number;
  height?: number;
}

/** A tab, and what its browser complained of. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  complaints: string[];
  /** Every request that it has made: method and path. */
  requests: string[];
}

/** Starts a service with made-up data, and a browser. */
export async function openConsole({ tasks = 400, users = 20 } = {}): Promise<ConsoleWorld> {
  const folder = makeFolder();
  const demo = await runHoldfast(folder, ["demo", "--tasks", String(tasks), "--users", String(users)]);
  if (demo.exitCode !== 0) throw new Error(demo.errors);
  const [service, browser] = await Promise.all([startProcess({ folder }), startBrowser()]);
  const beside = await service.openBeside();
  const cookies = new Map<string, Parameters<BrowserContext["addCookies"]>[0]>();

  async function signIn(context: BrowserContext, person: Partial<NewPerson>): Promise<void> {
    const email = person.email ?? "";
    const known = cookies.get(email);
    if (known) return context.addCookies(known);
    await addPerson(beside, person);
    await context.request.post(`${service.baseUrl}/session`, { data: { email, password } });
    cookies.set(email, await context.cookies());
  }

  return {
    service,
    beside,
    browser,
    async open(path, person, { colorScheme = "light", width = 1280, height = 900 } = {}) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height }, reducedMotion: "reduce" });
      await signIn(context, person);
      const page = await context.newPage();
      const [complaints, requests]: string[][] = [[], []];
      page.on("pageerror", ({ message }) => complaints?.push(message));
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") complaints?.push(message.text());
      });
      page.on("request", (request) => requests?.push(`${request.method()} ${request.url()}`));
      page.setDefaultTimeout(10_000);
      await page.goto(`${service.baseUrl}/console${path}`);
      return { page, context, complaints: complaints ?? [], requests: requests ?? [] };
    },
    async close() {
      await browser.close();
      await service.stop();
      await beside.close();
    },
  };
}
