import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { timeLimit } from "../../../server/test/runs";
import { isAlive, makeRunFolder, run, runnerOf, start, until } from "./runner";

const folder = makeRunFolder();
afterAll(folder.remove);

const runner = runnerOf(folder.spool);
const quoted = runner.map((word) => `'${word}'`).join(" ");

/** Every byte, in an order that shows what is missing. */
const bytes = Buffer.from(Array.from({ length: 3_000_001 }, (_, at) => (at * 7 + (at >> 8)) & 255));
writeFileSync(join(folder.path, "bytes"), bytes);

/** Commands, each for a shell. */
const commands: [name: string, script: string][] = [
  ["text on both streams", "echo out; echo err >&2; printf no-end; printf no-end >&2"],
  ["nothing", ":"],
  ["large binary output on stdout", "cat bytes"],
  ["large binary output on stderr", "cat bytes >&2"],
  ["lines that look like those of engines", `printf '{"message_type":"status"}\\n12/34 kB (35%%)\\r\\n' >&2`],
  ["a failure", "echo wrong >&2; exit 7"],
];

const alone = (script: string) => ["sh", "-c", script];

test.each(commands)("%s: the same bytes and the same exit code through pipes", async (_, script) => {
  const bare = await run(alone(script), { cwd: folder.path });
  const ours = await run([...runner, ...alone(script)], { cwd: folder.path });
  expect(ours.stdout.equals(bare.stdout)).toBe(true);
  expect(ours.stderr.equals(bare.stderr)).toBe(true);
  expect(ours.exitCode).toBe(bare.exitCode);
});

test.each(commands.slice(0, 4))("%s: the same bytes in files", async (_, script) => {
  const into = (name: string, command: string) => `${command} > ${name}.out 2> ${name}.err`;
  const inner = `sh -c '${script.replaceAll("'", `'\\''`)}'`;
  await run(alone(`${into("bare", inner)}; ${into("ours", `${quoted} ${inner}`)}`), { cwd: folder.path });
  const read = (name: string) => readFileSync(join(folder.path, name));
  expect(read("ours.out").equals(read("bare.out"))).toBe(true);
  expect(read("ours.err").equals(read("bare.err"))).toBe(true);
});

test("the same bytes on a terminal, with both streams in one", async () => {
  // Text on stderr passes through the runner, which may take a moment.
  const script = "echo out; echo err >&2; sleep 1; printf 'a\\tb\\n'; tty";
  const onTerminal = (command: string) => ["script", "-qec", command, "/dev/null"];
  const bare = await run(onTerminal(`sh -c '${script}'`), { cwd: folder.path });
  const ours = await run(onTerminal(`${quoted} sh -c '${script}'`), { cwd: folder.path });
  const withoutNumber = (text: Buffer) => text.toString("latin1").replace(/pts\/\d+/, "pts");
  expect(withoutNumber(ours.stdout)).toBe(withoutNumber(bare.stdout));
});

test("the command's streams are real pipes: they can be opened by name, as a socket cannot", async () => {
  const { stdout, exitCode } = await run(
    alone(
      `${quoted.replace(" '--'", " '--log' 'all' '--'")} sh -c 'echo a > /dev/stderr; echo b > /dev/stdout' 2>&1 | sort`,
    ),
    { cwd: folder.path },
  );
  expect([stdout.toString(), exitCode]).toEqual(["a\nb\n", 0]);
});

test("a terminal stays as it was: other programs that share it are not made non-blocking", async () => {
  const command = `${quoted.replace(" '--quiet'", "")} sleep 1.2; grep flags /proc/self/fdinfo/2`;
  const { stdout } = await run(["script", "-qec", `sh -c "${command}"`, "/dev/null"], { cwd: folder.path });
  const flags = Number.parseInt(/flags:\s*(\d+)/.exec(stdout.toString())?.[1] ?? "", 8);
  expect(flags & 0o4000).toBe(0);
});

test("stdin is the command's", async () => {
  const { stdout } = await run([...runner, "cat"], { stdin: bytes });
  expect(stdout.equals(bytes)).toBe(true);
});

test("a reader that is slow gets every byte, also after the command has ended", async () => {
  const script = `${quoted} sh -c 'head -c 300000 bytes >&2' 2>&1 | (sleep 2; wc -c)`;
  const { stdout } = await run(alone(script), { cwd: folder.path });
  expect(stdout.toString().trim()).toBe("300000");
});

test("a reader that goes away ends the command as it does without us", async () => {
  const script = (command: string) => `{ ${command} sh -c 'while :; do echo line; done'; echo $? >&2; } | head -1`;
  const bare = await run(alone(script("")));
  const ours = await run(alone(script(`${quoted.replace(" '--'", " '--log' 'all' '--'")}`)));
  expect(bare.stderr.toString()).toBe("141\n");
  expect(ours.stderr.toString()).toBe("141\n");
  expect(ours.stdout.toString()).toBe("line\n");
});

test("a stderr that cannot be written to neither ends the command nor changes its exit code", async () => {
  const loud = quoted.replace(" '--quiet'", "");
  const script = `for target in /dev/full '&-'; do eval "${loud} sh -c 'echo x >&2; exit 3' 2>$target"; echo $?; done`;
  const { stdout } = await run(alone(script), { cwd: folder.path });
  expect(stdout.toString()).toBe("3\n3\n");
});

/** True if the guard of a killed runner works: it then holds open what ends with the runner. */
function isGuarded(runner: number): boolean {
  const children = Bun.spawnSync(["ps", "-o", "pid=", "--ppid", String(runner)])
    .stdout.toString()
    .match(/\d+/g);
  return (children ?? []).some((pid) => existsSync(`/proc/${pid}/fd/9`));
}

test("a runner that is killed takes nothing with it: the command runs on, and all its words arrive", async () => {
  const script = "touch begun; until [ -e killed ]; do sleep 0.05; done; cat bytes >&2; echo out; exec touch ended";
  const child = start([...runnerOf(folder.spool, "--log", "all"), "sh", "-c", script], { cwd: folder.path });
  const [stdout, stderr] = [child.stdout.bytes(), child.stderr.bytes()];
  await until(() => existsSync(join(folder.path, "begun")));
  await until(() => isGuarded(child.pid));
  child.kill("SIGKILL");
  await child.exited;
  writeFileSync(join(folder.path, "killed"), "");
  // Both streams end, so that nothing is left that stood by.
  expect(Buffer.from(await stderr).equals(bytes)).toBe(true);
  expect(Buffer.from(await stdout).toString()).toBe("out\n");
  expect(existsSync(join(folder.path, "ended"))).toBe(true);
});

test("where runner and reader are both gone, the command ends as it does without us", async () => {
  const script = "echo $$ > endless; until [ -e gone ]; do sleep 0.05; done; while :; do echo line >&2; done";
  const child = start([...runner, "sh", "-c", script], { cwd: folder.path });
  const file = join(folder.path, "endless");
  const pid = await until(() => Number(existsSync(file) ? readFileSync(file, "utf8") : ""));
  await until(() => isGuarded(child.pid));
  child.kill("SIGKILL");
  await child.exited;
  await child.stderr.cancel();
  writeFileSync(join(folder.path, "gone"), "");
  await until(async () => !(await isAlive(pid)), timeLimit(10_000));
});

test("what stands by for a killed runner goes with one that ends by itself", async () => {
  // It is started after the command.
  const waiting = "until [ $(ps -o pid= --ppid $PPID | wc -l) -gt 1 ]; do sleep 0.1; done; ps -o pid= --ppid $PPID";
  const { stdout } = await run([...runner, "sh", "-c", waiting], { cwd: folder.path });
  const pids = stdout.toString().trim().split(/\s+/).map(Number);
  expect(pids.length).toBeGreaterThan(1);
  await until(async () => (await Promise.all(pids.map(isAlive))).every((one) => !one), timeLimit(10_000));
});

test("a process left in the background does not keep the runner from ending", async () => {
  const child = start([...runner, "sh", "-c", "sleep 100 & echo $!"], { cwd: folder.path });
  const startedAt = performance.now();
  const pid = Number(await child.stdout.text());
  expect(await child.exited).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(timeLimit(5_000));
  // It was left alone.
  process.kill(pid, "SIGKILL");
});

test("a script without a first line that says what runs it is run, as a shell does", async () => {
  writeFileSync(join(folder.path, "plain"), "echo plain $1\nexit 5\n", { mode: 0o755 });
  const { stdout, exitCode } = await run([...runner, "./plain", "word"], { cwd: folder.path });
  expect([stdout.toString(), exitCode]).toEqual(["plain word\n", 5]);
});
