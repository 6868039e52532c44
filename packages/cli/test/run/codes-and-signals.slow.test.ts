import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { size, timeLimit } from "../../../server/test/runs";
import { endOf, holdfast, makeRunFolder, run, runnerOf, start, until } from "./runner";

const folder = makeRunFolder();
afterAll(folder.remove);

const runner = runnerOf(folder.spool);
const quoted = runner.map((word) => `'${word}'`).join(" ");
const everyCode = Array.from({ length: 256 }, (_, code) => code);
const codes =
  size({ default: 0, long: 1 }) === 1 ? everyCode : [0, 1, 2, 3, 100, 124, 125, 126, 127, 128, 130, 137, 255];

test("the exit code is the command's own", async () => {
  const script = codes.map((code) => `${quoted} sh -c 'exit ${code}'; echo $?`).join("\n");
  const { stdout } = await run(["sh", "-c", script], { cwd: folder.path });
  expect(stdout.toString().trim().split("\n").map(Number)).toEqual(codes);
}, 120_000);

test("128 + N where signal N ended the command", async () => {
  const signals = [1, 2, 3, 6, 9, 10, 12, 13, 14, 15, 34, 64];
  const script = signals.map((signal) => `${quoted} sh -c 'kill -${signal} $$'; echo $?`).join("\n");
  const { stdout } = await run(["sh", "-c", script], { cwd: folder.path });
  expect(stdout.toString().trim().split("\n").map(Number)).toEqual(signals.map((signal) => 128 + signal));
}, 120_000);

test("126 and 127 where the command cannot be started", async () => {
  writeFileSync(join(folder.path, "no-program"), "x", { mode: 0o644 });
  const of = async (command: string) => {
    const { exitCode, stderr } = await run([...runner, command], { cwd: folder.path });
    return [exitCode, stderr.toString()];
  };
  expect(await of("./no-program")).toEqual([126, "holdfast: ./no-program: cannot be executed\n"]);
  expect(await of("/tmp")).toEqual([126, "holdfast: /tmp: cannot be executed\n"]);
  expect(await of("no-such-program")).toEqual([127, "holdfast: no-such-program: command not found\n"]);
});

test("124 after --timeout", async () => {
  const limited = runnerOf(folder.spool, "--timeout", "0.3s");
  expect((await run([...limited, "sleep", "30"])).exitCode).toBe(124);
});

test("a limit of more than 24 days stops nothing at once", async () => {
  const limited = runnerOf(folder.spool, "--timeout", "60d", "--stall", "60d");
  expect((await run([...limited, "sh", "-c", "sleep 0.3; exit 6"])).exitCode).toBe(6);
});

test.each([
  [["--colour", "red"], "Unknown option '--colour'. See holdfast run --help, and put the command behind --."],
  [["--timeout", "soon"], '--timeout has to be a duration such as 90s, 15m, 2h or 1d, not "soon".'],
  [["--lease", "1s"], "--lease has to be 30s to 86400s."],
  [["--engine", "veem"], expect.stringContaining("--engine has to be one of restic, borg")],
  [["--entity", ""], "--entity has to be a name, such as web-01 or database:shop."],
])("125 and what to do for wrong use: %p", async (flags, message) => {
  const { exitCode, stderr } = await run([...holdfast, "run", ...flags, "--", "touch", join(folder.path, "ran")]);
  expect({ exitCode, message: stderr.toString().replace(/^holdfast run: (.*)\n$/, "$1") }).toEqual({
    exitCode: 125,
    message,
  });
  expect(await Bun.file(join(folder.path, "ran")).exists()).toBe(false);
});

test("125 where there is no command", async () => {
  const { exitCode, stderr } = await run([...holdfast, "run", "restic", "backup"]);
  expect(exitCode).toBe(125);
  expect(stderr.toString()).toContain("put the command behind --");
});

test("a token file that cannot be read does not keep the backup from running", async () => {
  const { exitCode, stderr, stdout } = await run([
    ...[...holdfast, "run", "--token-file", "/no/such/file", "--spool-dir", folder.spool],
    ...["--", "sh", "-c", "echo ran; exit 4"],
  ]);
  expect([exitCode, stdout.toString()]).toEqual([4, "ran\n"]);
  expect(stderr.toString()).toMatch(/^holdfast: The token file cannot be read: .*This run is not reported\.\n$/);
});

test("without a token the command runs, with one warning", async () => {
  const command = [...holdfast, "run", "--spool-dir", folder.spool, "--", "sh", "-c", "exit 4"];
  const { exitCode, stderr } = await run(command, { environment: { HOLDFAST_TOKEN: "" } });
  expect([exitCode, stderr.toString()]).toEqual([
    4,
    "holdfast: There is no token in HOLDFAST_TOKEN, no --token-file and no profile for it. This run is not reported.\n",
  ]);
});

/** Says each signal that it gets, and ends after QUIT. */
const listener = (signals: readonly string[]) =>
  `${signals.map((name) => `trap 'echo ${name}' ${name}`).join("; ")}; trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done`;

test.each(["HUP", "INT", "QUIT", "USR1", "USR2", "ALRM", "WINCH"] as const)("SIG%s is passed on once", async (name) => {
  const child = start([...runner, "bash", "-c", listener([name])], { cwd: folder.path });
  const reader = child.stdout.getReader();
  let said = "";
  const read = async () => {
    said += new TextDecoder().decode((await reader.read()).value);
  };
  await read();
  child.kill(`SIG${name}`);
  await read();
  await Bun.sleep(150);
  child.kill("SIGTERM");
  await child.exited;
  for (let part = await reader.read(); !part.done; part = await reader.read())
    said += new TextDecoder().decode(part.value);
  expect([said, child.exitCode]).toEqual([`ready\n${name}\n`, 9]);
});

test("Ctrl-C on a terminal reaches the command once", async () => {
  const pids = join(folder.path, "group");
  const command = `trap 'echo GOT; got=1' INT; ps -o pgid= -p $$ > ${pids}; until [ -n "$got" ]; do sleep 0.1; done; sleep 0.5; exit 3`;
  const child = start(["script", "-qec", `exec ${quoted} bash -c "${command.replaceAll("$", "\\$")}"`, "/dev/null"], {
    cwd: folder.path,
  });
  const group = await until(() => Number(spawnedGroup(pids)));
  // As a terminal does it: to the whole group in its foreground.
  process.kill(-group, "SIGINT");
  const { stdout, exitCode } = await endOf(child);
  expect(stdout.toString().match(/GOT/g)).toEqual(["GOT"]);
  expect(exitCode).toBe(3);
});

function spawnedGroup(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
}

test("under nohup a hang-up ends neither the runner nor the command", async () => {
  const go = join(folder.path, "hung up");
  const script = `echo ready; until [ -e "${go}" ]; do sleep 0.1; done; sleep 0.3; echo done`;
  const child = start(["nohup", ...runner, "sh", "-c", script], { cwd: folder.path });
  const reader = child.stdout.getReader();
  await reader.read();
  child.kill("SIGHUP");
  writeFileSync(go, "");
  const { value } = await reader.read();
  expect(new TextDecoder().decode(value)).toBe("done\n");
  expect(await child.exited).toBe(0);
});

test("a signal while the end is delivered ends the wait, not the exit code", async () => {
  const patient = runnerOf(folder.spool).map((word) => word.replace(/^0s$/, "60s"));
  const child = start([...patient, "sh", "-c", "echo ran; exit 3"], { cwd: folder.path });
  await child.stdout.getReader().read();
  await Bun.sleep(1_000);
  const askedAt = performance.now();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(3);
  expect(performance.now() - askedAt).toBeLessThan(timeLimit(3_000));
});
