import type { Plane } from "../../../server/test/harness";
import { type ProcessOptions, type ServerProcess, startProcess } from "../../../server/test/process";
import { findSteadyPort } from "../../../server/test/steady-port";
import { type EndedRun, endOf, holdfast, makeRunFolder, type Started, type StartOptions, start } from "./runner";

/** A task as the API shows it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into every field of a task.
export type ShownTask = any;

/** A real service as a process, and a host beside it that runs backups. */
export interface RunWorld {
  path: string;
  spool: string;
  beside: Plane;
  reporter: string;
  service(): ServerProcess;
  /** Starts `holdfast run` with flags, a command and the token of the host. */
  start(flags: readonly string[], command: readonly string[], options?: StartOptions): Started;
  run(flags: readonly string[], command: readonly string[], options?: StartOptions): Promise<EndedRun>;
  /** Runs `holdfast spool deliver`. */
  deliver(environment?: Record<string, string>, ...flags: string[]): Promise<EndedRun>;
  /** The newest tasks, newest first. */
  tasks(): Promise<ShownTask[]>;
  taskNamed(name: string): Promise<ShownTask>;
  logOf(task: ShownTask): Promise<string>;
  abort(task: ShownTask): Promise<number>;
  /** Kills the service, as a power cut does. */
  away(): Promise<void>;
  /** Starts it again, with other settings if some are given. */
  back(more?: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

export interface RunWorldOptions {
  timeouts?: ProcessOptions["timeouts"];
  /** The database of the service, where the test has one of its own. */
  databaseUrl?: string;
}

/** Starts a service on a port of its own, and makes a host. */
export async function openRunWorld({ timeouts, databaseUrl }: RunWorldOptions = {}): Promise<RunWorld> {
  const port = await findSteadyPort();
  const own = databaseUrl === undefined ? {} : { database_url: databaseUrl };
  const flags = { port: String(port), base_url: `http://127.0.0.1:${port}`, ...own };
  const shortTimeouts = timeouts ? { timeouts } : {};
  let service = await startProcess({ flags, ...shortTimeouts });
  const { folder } = service;
  const beside = await service.openBeside(own);
  const { token: reporter } = await beside.serviceToken("reporter");
  const { token: operator } = await beside.serviceToken("operator");
  const host = makeRunFolder();
  const environment = { HOLDFAST_TOKEN: reporter, HOLDFAST_SPOOL: host.spool };
  let isAway = false;

  const ask = async (path: string, body?: object) => {
    const options = body === undefined ? { token: operator } : { token: operator, method: "PATCH", body };
    return service.ask(path, options);
  };
  const withHost = (options: StartOptions = {}): StartOptions => ({
    cwd: host.path,
    ...options,
    environment: { ...environment, ...options.environment },
  });
  const world: RunWorld = {
    path: host.path,
    spool: host.spool,
    beside,
    reporter,
    service: () => service,
    start: (given, command, options) => start([...holdfast, "run", ...given, "--", ...command], withHost(options)),
    run: (given, command, options) => endOf(world.start(given, command, options)),
    deliver: (more = {}, ...given) =>
      endOf(start([...holdfast, "spool", "deliver", ...given], withHost({ environment: more }))),
    tasks: async () => (await ask("/tasks?limit=100")).body._embedded.items,
    async taskNamed(name) {
      const all: ShownTask[] = await world.tasks();
      return all.find((task) => task.name === name);
    },
    async logOf({ id }) {
      let whole = "";
      for (let offset = 0, isMore = true; isMore; ) {
        const { text, next_offset, size } = (await ask(`/tasks/${id}/log?limit=1048576&offset=${offset}`)).body;
        whole += text ?? "";
        // A part that is missing ends an answer, and the next one begins behind it.
        isMore = next_offset > offset && next_offset < size;
        offset = next_offset;
      }
      return whole;
    },
    abort: async ({ id }) => (await ask(`/tasks/${id}`, { status: "aborting", reason: "test" })).status,
    async away() {
      isAway = true;
      await service.stop("SIGKILL");
    },
    async back(more = {}) {
      service = await startProcess({ flags: { ...flags, ...more }, folder, ...shortTimeouts });
      isAway = false;
    },
    async close() {
      await (isAway ? undefined : service.stop("SIGKILL"));
      await beside.close();
      host.remove();
    },
  };
  return world;
}
