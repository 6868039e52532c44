import { spyOn } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readSettings } from "@holdfast/server/settings/settings";
import { type RunningService, startService } from "@holdfast/server/start/start-service";
import { createLog } from "@holdfast/server/telemetry/log";
import { buildProgram, runCommandLine } from "../../packages/cli/src/command-line";
import { settingsOf } from "../../packages/cli/src/local/read-settings";
import { defaultTimeouts } from "../../packages/cli/src/supervisor/timeouts";
import { layCommands } from "./commands";
import { repository } from "./read-samples";

/** A folder that stands for a machine on which Holdfast is installed, with a service that runs. */
export interface World {
  root: string;
  port: number;
  areReal: boolean;
  /** The secret of the link for the first owner. */
  firstOwnerSecret: string;
  environment: Record<string, string>;
  remove(): Promise<void>;
}

export interface WorldOptions {
  /** A data directory to begin with. */
  data?: string | undefined;
  /** True if commands of Holdfast are processes of their own. */
  areReal: boolean;
  settings?: Record<string, string>;
}

export async function openWorld({ data, areReal, settings: given = {} }: WorldOptions): Promise<World> {
  const root = mkdtempSync(join(tmpdir(), "holdfast-samples-"));
  const dataDir = join(root, "var/lib/holdfast");
  for (const folder of [
    "tmp",
    "calls",
    "spool",
    "backup",
    "safe/place",
    "etc/holdfast",
    "srv",
    "mnt",
    "usr/local/bin",
  ]) {
    mkdirSync(join(root, folder), { recursive: true, mode: 0o700 });
  }
  mkdirSync(join(root, "opt/holdfast"), { recursive: true });
  for (const name of ["node_modules", "packages"])
    symlinkSync(join(repository, name), join(root, "opt/holdfast", name));
  if (data !== undefined) cpSync(data, dataDir, { recursive: true });
  layCommands(join(root, "bin"));

  const start = (port: number) =>
    startService(
      readSettings({ flags: { data_dir: dataDir, port: String(port), ...given }, environment: {}, file: null }),
      {
        log: createLog({ level: "silent", output: { write: () => {}, isTerminal: false }, clock: Date.now }),
        onBroken: (error) => {
          throw error;
        },
      },
    );
  let service: RunningService | undefined = await start(0);
  const { port, firstOwnerLink } = service;
  writeFileSync(join(root, "etc/holdfast/holdfast.json"), JSON.stringify({ data_dir: dataDir }), { mode: 0o600 });
  cpSync(join(dataDir, "secret.key"), join(root, "safe/place/secret.key"));

  const acts: Record<string, (call: string) => Promise<string>> = {
    "/command": async (call) => `${await answerCall(call)}\n`,
    "/stop": async () => {
      await service?.stop({ drainSeconds: 0 });
      service = undefined;
      return "";
    },
    "/start": async () => {
      service ??= await start(port);
      return "";
    },
  };
  const calls = Bun.serve({
    unix: join(root, "socket"),
    fetch: async ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      const act = acts[pathname];
      return act ? new Response(await act(searchParams.get("call") ?? "")) : new Response(null, { status: 404 });
    },
  });
  return {
    root,
    port,
    areReal,
    firstOwnerSecret: (firstOwnerLink ?? "").split("#")[1] ?? "",
    environment: {
      PATH: `${join(root, "bin")}:${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: root,
      TZ: "UTC",
      LANG: "C.UTF-8",
      TMPDIR: join(root, "tmp"),
      HOLDFAST_SAMPLES: root,
      HOLDFAST_SAMPLES_REAL: areReal ? "1" : "0",
      HOLDFAST_DATA_DIR: dataDir,
      HOLDFAST_SPOOL: join(root, "spool"),
      ...(given.database_url === undefined ? {} : { HOLDFAST_DATABASE_URL: given.database_url }),
    },
    async remove() {
      await calls.stop(true);
      await service?.stop({ drainSeconds: 0 });
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Runs a command of Holdfast in this process, as its caller has written it down, and gives its exit code. */
async function answerCall(call: string): Promise<number> {
  const read = (name: string) => readFileSync(`${call}.${name}`, "utf8");
  const [folder = "", ...args] = read("args").split("\0").slice(0, -1);
  const environment = Object.fromEntries(
    read("env")
      .split("\0")
      .map((line): [string, string] => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const [before, inherited] = [process.cwd(), process.env];
  const streams = { stdout: spyOn(process.stdout, "write"), stderr: spyOn(process.stderr, "write") };
  for (const stream of Object.values(streams)) stream.mockReturnValue(true);
  process.chdir(folder);
  process.env = environment;
  try {
    return args[0] === "serve" ? await checkServe(args) : await runCommandLine(args);
  } finally {
    process.env = inherited;
    process.chdir(before);
    for (const [name, stream] of Object.entries(streams)) {
      writeFileSync(`${call}.${name}`, stream.mock.calls.map(([text]) => String(text)).join(""));
      stream.mockRestore();
    }
  }
}

/** Reads the settings that a service would be started with, and does not start it. */
async function checkServe(args: readonly string[]): Promise<number> {
  const program = await buildProgram(defaultTimeouts, "serve");
  const serve = program.commands[0];
  serve?.action(() => {
    settingsOf(serve, process.env);
  });
  await program.parseAsync(args, { from: "user" });
  return 0;
}
