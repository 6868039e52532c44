import { afterAll, afterEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mountSmallDisk, noDisk } from "../../../runner/test/small-disk";
import { createDice } from "../../../server/test/random";
import { size, timeLimit } from "../../../server/test/runs";
import { startBadLine } from "./bad-line";
import { endOf, holdfast, isAlive, run, spooled, until } from "./runner";
import { openRunWorld } from "./service";

const world = await openRunWorld();
afterAll(world.close);
afterEach(() => rmSync(world.spool, { recursive: true, force: true }));

const named = (name: string) => ["--name", name, "--linger", "60s"];
const endOfTask = async (name: string) => {
  const { status, outcome, error } = (await world.taskNamed(name)) ?? {};
  return [status, outcome, ...(error ? [error.code] : [])].join(" ");
};
const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000;

test("a run that is reported leaves nothing in the spool", async () => {
  expect((await world.run(named("plain"), ["sh", "-c", "echo out >&2; sleep 0.5"])).exitCode).toBe(0);
  const task = await world.taskNamed("plain");
  expect(await endOfTask("plain")).toBe("completed success");
  expect(secondsBetween(task.start_timestamp, task.end_timestamp)).toBeWithin(0.05, 60);
  expect(await world.logOf(task)).toBe("out\n");
  expect(spooled(world.spool)).toEqual([]);
});

test("what could not be delivered is delivered once, with the times at which it happened", async () => {
  await world.away();
  const whole = await world.run([...named("away"), "--linger", "1s"], ["sh", "-c", "echo kept >&2; sleep 0.6; exit 5"]);
  expect([whole.exitCode, whole.stderr.toString()]).toEqual([
    5,
    `kept\nholdfast: The end of the run is not delivered yet. It waits in ${world.spool}; the next run delivers it, or holdfast spool deliver.\n`,
  ]);
  await Bun.sleep(1_500);
  await world.back();
  const [first, second] = await Promise.all([world.deliver(), world.deliver()]);
  expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
  expect(spooled(world.spool)).toEqual([]);
  const task = await world.taskNamed("away");
  expect(await endOfTask("away")).toBe("failed error command_failed");
  expect(await world.logOf(task)).toBe("kept\n");
  expect(secondsBetween(task.start_timestamp, task.end_timestamp)).toBeWithin(0.3, 60);
  expect(Date.now() - Date.parse(task.end_timestamp)).toBeGreaterThan(1_500);
  expect((await world.tasks()).filter(({ name }) => name === "away")).toHaveLength(1);
}, 120_000);

test("the next run delivers what an earlier one has left", async () => {
  await world.away();
  await world.run([...named("left"), "--quiet", "--linger", "1s"], ["true"]);
  await world.back();
  await world.run(named("next"), ["true"]);
  expect([await endOfTask("left"), await endOfTask("next")]).toEqual(["completed success", "completed success"]);
  expect(spooled(world.spool)).toEqual([]);
}, 120_000);

test("a service that goes away in the middle and comes back misses nothing", async () => {
  const child = world.start(named("middle"), ["sh", "-c", "echo a >&2; sleep 4; echo b >&2"]);
  await until(() => world.taskNamed("middle"));
  await world.away();
  await Bun.sleep(500);
  await world.back();
  expect((await endOf(child)).exitCode).toBe(0);
  expect(await endOfTask("middle")).toBe("completed success");
  expect(await world.logOf(await world.taskNamed("middle"))).toBe("a\nb\n");
  expect(spooled(world.spool)).toEqual([]);
}, 120_000);

test("a service that goes away in the middle is not waited for at the end, and gets it later", async () => {
  const child = world.start(["--name", "gone", "--quiet"], ["sh", "-c", "sleep 3; date +%s%3N >&2; exit 4"]);
  await until(() => world.taskNamed("gone"));
  await world.away();
  const { exitCode, stderr } = await endOf(child);
  const waited = Date.now() - Number(stderr.toString());
  await world.back();
  expect(exitCode).toBe(4);
  expect(waited).toBeLessThan(timeLimit(1_000));
  expect((await world.deliver()).exitCode).toBe(0);
  expect(await endOfTask("gone")).toBe("failed error command_failed");
}, 120_000);

const partedFor = size({ default: 2, long: 60 });

test(`R20: after ${partedFor} s in which nothing passes between runner and service, all is there once and in order`, async () => {
  const line = await startBadLine(world.service().port, createDice(20));
  const lines = Array.from({ length: partedFor * 5 + 10 }, (_, number) => `line ${number}\n`).join("");
  const script = `seq 0 ${partedFor * 5 + 9} | while read number; do echo line $number >&2; sleep 0.2; done`;
  const child = world.start([...named("parted"), "--url", line.baseUrl], ["sh", "-c", script]);
  await until(() => world.taskNamed("parted"));
  line.turn("silent");
  await Bun.sleep(partedFor * 1000);
  line.turn("fair");
  const { exitCode, stderr } = await endOf(child);
  line.close();
  expect([exitCode, stderr.toString()]).toEqual([0, lines]);
  expect(await endOfTask("parted")).toBe("completed success");
  expect(await world.logOf(await world.taskNamed("parted"))).toBe(lines);
  expect((await world.tasks()).filter(({ name }) => name === "parted")).toHaveLength(1);
  expect(spooled(world.spool)).toEqual([]);
}, 180_000);

test("a killed runner's task took as long as the runner lived, and the remedy knows that the host is up", async () => {
  const child = world.start(named("lived"), ["sleep", "30"]);
  await until(() => world.taskNamed("lived"));
  await Bun.sleep(3_500);
  child.kill("SIGKILL");
  await child.exited;
  await Bun.sleep(2_500);
  expect((await world.deliver()).exitCode).toBe(0);
  const task = await world.taskNamed("lived");
  expect(secondsBetween(task.start_timestamp, task.end_timestamp)).toBeGreaterThan(2);
  expect(Date.now() - Date.parse(task.end_timestamp)).toBeGreaterThan(2_400);
  expect([task.error.message, task.error.remedy]).toEqual([
    "The runner was killed while the command ran. How the command ended is not known.",
    expect.stringMatching(/^The host itself is up\. /),
  ]);
}, 60_000);

test("runs at the same time deliver what others have left, without a word of files that are gone", async () => {
  const left = size({ default: 12, long: 60 });
  for (let number = 0; number < left; number++) await leaveBehind(`left ${number}`);
  const ended = await Promise.all(Array.from({ length: 12 }, (_, at) => world.run(named(`parallel ${at}`), ["true"])));
  expect(ended.map(({ exitCode, stderr }) => [exitCode, stderr.toString()])).toEqual(ended.map(() => [0, ""]));
  expect(spooled(world.spool)).toEqual([]);
}, 180_000);

test("a killed runner's task is lost, and its command may finish", async () => {
  const [go, done] = [join(world.path, "go on"), join(world.path, "done")];
  const script = `echo $$ >&2; until [ -e "${go}" ]; do sleep 0.1; done; touch ${done}`;
  const child = world.start(named("killed"), ["sh", "-c", script]);
  await until(() => world.taskNamed("killed"));
  child.kill("SIGKILL");
  await child.exited;
  expect(spooled(world.spool)).toHaveLength(1);
  expect((await world.deliver()).exitCode).toBe(0);
  expect(await endOfTask("killed")).toBe("failed lost runner_lost");
  expect(spooled(world.spool)).toEqual([]);
  writeFileSync(go, "");
  await until(() => Bun.file(done).exists());
});

test("a run that goes on is neither delivered nor ended by others", async () => {
  const go = join(world.path, "go");
  const child = world.start(named("running"), ["sh", "-c", `while [ ! -e ${go} ]; do sleep 0.1; done; exit 3`]);
  await until(() => spooled(world.spool).length === 1 && world.taskNamed("running"));
  const { stdout, exitCode } = await world.deliver();
  expect([stdout.toString(), exitCode]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}\trunning\n$/), 0]);
  expect((await world.taskNamed("running")).status).toBe("in_progress");
  writeFileSync(go, "");
  expect((await endOf(child)).exitCode).toBe(3);
  expect(await endOfTask("running")).toBe("failed error command_failed");
});

/** Makes a spool file of a run that was never reported, and gives its path. */
async function leaveBehind(name: string, command: readonly string[] = ["true"]): Promise<string> {
  const before = spooled(world.spool);
  const nowhere = "http://127.0.0.1:9";
  await world.run([...named(name), "--quiet", "--linger", "0s", "--url", nowhere], command);
  const [file = ""] = spooled(world.spool).filter((one) => !before.includes(one));
  const path = join(world.spool, file);
  writeFileSync(path, readFileSync(path, "utf8").replace(nowhere, world.service().baseUrl));
  return path;
}

test("a line that a power cut has torn is passed over: the run is lost, not completed", async () => {
  const file = await leaveBehind("torn");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.slice(0, text.trimEnd().lastIndexOf("\n") + 40));
  expect((await world.deliver()).exitCode).toBe(0);
  expect(await endOfTask("torn")).toBe("failed lost runner_lost");
});

test("a service that was restored from an older backup is given the beginning once more", async () => {
  const file = await leaveBehind("restored", ["sh", "-c", "echo words >&2; exit 4"]);
  // As if the service had acknowledged the beginning and a piece of the log, and then forgotten them.
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  writeFileSync(file, `${[...lines, '{"acked":2}'].join("\n")}\n`);
  expect((await world.deliver()).exitCode).toBe(0);
  expect(await endOfTask("restored")).toBe("failed error command_failed");
});

test("a report that the service can never take goes to refused/, and the rest is delivered", async () => {
  const file = await leaveBehind("refused");
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const forged = {
    sequence: 2,
    operation: "update",
    body: { progress_percentage: 400 },
    wall_ms: Date.now(),
    monotonic_ms: 1,
  };
  const renumbered = lines.slice(2).map((line) => JSON.stringify({ ...JSON.parse(line), sequence: 3 }));
  writeFileSync(file, `${[...lines.slice(0, 2), JSON.stringify(forged), ...renumbered].join("\n")}\n`);
  await world.deliver();
  expect(await endOfTask("refused")).toBe("completed success");
  const [aside = ""] = readdirSync(join(world.spool, "refused"));
  expect(aside).toMatch(/^[0-9a-f-]{36}\.reports$/);
  expect(readFileSync(join(world.spool, "refused", aside), "utf8")).toContain("400");
  expect(spooled(world.spool)).toEqual([]);
});

test("the token of another unit delivers nothing, and does not lose it", async () => {
  const unit = await world.beside.addUnit("Elsewhere");
  const { token } = await world.beside.serviceToken("reporter", unit);
  await leaveBehind("other unit");
  const { exitCode, stdout } = await world.deliver({ HOLDFAST_TOKEN: token });
  expect([exitCode, stdout.toString()]).toEqual([1, expect.stringContaining("forbidden")]);
  expect(spooled(world.spool)).toHaveLength(1);
  expect((await world.deliver()).exitCode).toBe(0);
  expect(await endOfTask("other unit")).toBe("completed success");
});

test("a run of another service waits for it", async () => {
  await leaveBehind("elsewhere");
  const { stdout, stderr, exitCode } = await world.deliver({ HOLDFAST_URL: "http://127.0.0.1:9" });
  expect([exitCode, stdout.toString()]).toEqual([1, expect.stringContaining("elsewhere")]);
  expect(stderr.toString()).toContain(`here with --from ${world.service().baseUrl}.`);
  expect((await world.deliver()).exitCode).toBe(0);
});

test("a service that has moved is given what waits for its former address, once that is asked for", async () => {
  const former = "http://former.test:8080";
  const path = await leaveBehind("moved");
  writeFileSync(path, readFileSync(path, "utf8").replace(world.service().baseUrl, former));
  await leaveBehind("present");
  const listed = await run([...holdfast, "spool", "list"], { environment: { HOLDFAST_SPOOL: world.spool } });
  const addresses = listed.stdout
    .toString()
    .trim()
    .split("\n")
    .map((line) => line.split("\t").at(-1));
  expect(addresses.sort()).toEqual([world.service().baseUrl, former].sort());
  const unreachableStatuses = await world.deliver();
  expect([unreachableStatuses.exitCode, unreachableStatuses.stderr.toString()]).toEqual([
    1,
    expect.stringContaining(`--from ${former}.`),
  ]);
  expect(await world.taskNamed("moved")).toBeUndefined();
  expect((await world.deliver({}, "--from", `${former}/`)).exitCode).toBe(0);
  expect(await endOfTask("moved")).toBe("completed success");
  expect(spooled(world.spool)).toEqual([]);
});

test("what waits for a former address is delivered by itself once the service names that as an alias, and not before", async () => {
  const former = "http://former.test:8080";
  const path = await leaveBehind("followed");
  writeFileSync(path, readFileSync(path, "utf8").replace(world.service().baseUrl, former));
  expect((await world.run(["--quiet"], ["true"])).exitCode).toBe(0);
  expect(await world.taskNamed("followed")).toBeUndefined();
  await world.away();
  await world.back({ base_url_aliases: `https://other.test,${former}` });
  expect((await world.run(["--quiet"], ["true"])).exitCode).toBe(0);
  expect(await endOfTask("followed")).toBe("completed success");
  expect(spooled(world.spool)).toEqual([]);
});

test("a flood of output stays within 2 MiB of spool, and begin and end are kept", async () => {
  await world.away();
  const flood = "for i in 1 2 3 4 5 6; do head -c 400000 /dev/urandom | tr '\\000-\\037' '\\033' >&2; done; exit 3";
  const { exitCode } = await world.run([...named("flood"), "--quiet", "--linger", "1s"], ["sh", "-c", flood]);
  expect(exitCode).toBe(3);
  const [file = ""] = spooled(world.spool);
  expect(Bun.file(join(world.spool, file)).size).toBeLessThan(2 * 1024 * 1024);
  await world.back();
  expect((await world.deliver()).exitCode).toBe(0);
  expect(await endOfTask("flood")).toBe("failed error command_failed");
}, 120_000);

test("where no spool can be made the command runs and is reported directly", async () => {
  writeFileSync(join(world.path, "no-folder"), "");
  const spool = ["--spool-dir", join(world.path, "no-folder/spool")];
  const { exitCode, stderr } = await world.run([...named("no spool"), ...spool], ["sh", "-c", "exit 3"]);
  expect(exitCode).toBe(3);
  expect(stderr.toString()).toMatch(/^holdfast: The spool cannot be used, so this run is reported without it: .*\n$/);
  expect(await endOfTask("no spool")).toBe("failed error command_failed");
});

test(`a full disk under the spool is said once, and the run is reported${noDisk}`, async () => {
  const path = join(world.path, "small");
  using _ = mountSmallDisk(path, 1);
  const spool = join(path, "spool");
  mkdirSync(spool, { mode: 0o700 });
  const fill = `sleep 0.5; head -c 2000000 /dev/zero > ${path}/fill; head -c 20000 /dev/urandom | base64 >&2; exit 3`;
  const { exitCode, stderr } = await world.run([...named("full disk"), "--spool-dir", spool], ["sh", "-c", fill]);
  expect(exitCode).toBe(3);
  expect(stderr.toString().match(/The spool cannot be written to/g)).toHaveLength(1);
  expect(await endOfTask("full disk")).toBe("failed error command_failed");
  expect(spooled(spool)).toEqual([]);
}, 120_000);

test("a folder that others may read is closed to them", async () => {
  mkdirSync(world.spool, { recursive: true });
  chmodSync(world.spool, 0o755);
  await world.run(named("mode"), ["true"]);
  const { stdout } = await run(["stat", "-c", "%a", world.spool]);
  expect(stdout.toString()).toBe("700\n");
});

test("spool list shows what waits", async () => {
  await leaveBehind("listed");
  const go = join(world.path, "go after the list");
  const child = world.start([...named("listed 2")], ["sh", "-c", `until [ -e "${go}" ]; do sleep 0.1; done`]);
  await until(() => spooled(world.spool).length === 2);
  const { stdout } = await run([...holdfast, "spool", "list"], { environment: { HOLDFAST_SPOOL: world.spool } });
  expect(
    stdout
      .toString()
      .trim()
      .split("\n")
      .map((line) => line.split("\t")[4])
      .sort(),
  ).toEqual(["running", "waiting"]);
  expect(await isAlive(child.pid)).toBe(true);
  writeFileSync(go, "");
  await child.exited;
});
