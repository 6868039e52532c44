import { type Client, HoldfastError } from "../../src/index";
import { reportTask, type TaskError } from "../../src/report/index";
import { equal, given, holds, type Scenarios, sleep, thrownBy, until } from "./world";

const kind = (type: string) =>
  ({ category: "backup", type, primary_entity: { type: "host", value: "web-01" } }) as const;

async function onlyTask(holdfast: Client, type: string) {
  const tasks = await holdfast.tasks.list({ filter: { type } }).first(2);
  equal(tasks.length, 1);
  return given(tasks[0]);
}

export const reportScenarios: Scenarios = {
  "work that succeeds is a task that succeeds": async ({ holdfast, mark }) => {
    const type = mark();
    const result = await reportTask(holdfast, { ...kind(type), name: "Nightly" }, async (task) => {
      task.log("one\n");
      task.progress(10.7, "x".repeat(300));
      await until(async () => (await onlyTaskOrNone(holdfast, type))?.progress_percentage === 10, "progress");
      task.progress(150);
      task.progress(Number.NaN, "two 😀");
      task.log("two\n");
      return { id: task.id };
    });
    const task = await onlyTask(holdfast, type);
    equal(result, { id: task.id });
    equal([task.status, task.outcome, task.error, task.name], ["completed", "success", null, "Nightly"]);
    equal([task.progress_percentage, task.progress_message], [100, "two 😀"]);
    equal(await holdfast.tasks.downloadLog(task.id), "one\ntwo\n");
  },

  "work that leaves something out is a warning, and work that throws a failure": async ({ holdfast, mark }) => {
    const [warned, failed, described, undescribed] = [mark(), mark(), mark(), mark()];
    const late: TaskError = { code: "too_late", message: "no" };
    const value = await reportTask(holdfast, kind(warned), (task) => {
      task.warn({ code: "Files unreadable!", message: "3 files" });
      task.warn(late);
      return 3;
    });
    equal(value, 3);
    const warning = await onlyTask(holdfast, warned);
    equal([warning.status, warning.outcome], ["completed", "warning"]);
    equal(warning.error, { code: "files_unreadable_", message: "3 files", remedy: "" });

    const error = new RangeError("😀".repeat(9_000));
    const thrown = await thrownBy(() => reportTask(holdfast, kind(failed), () => Promise.reject(error)));
    holds(thrown === error, "the error of the work comes back as it is");
    const failure = await onlyTask(holdfast, failed);
    equal([failure.status, failure.outcome, failure.error?.code], ["failed", "error", "command_failed"]);
    holds(given(failure.error).message.startsWith("RangeError: 😀"), "the message is the error's own");

    const describeError = () => ({ code: "locked", message: "It is locked.", remedy: "Unlock it." });
    await thrownBy(() =>
      reportTask(holdfast, { ...kind(described), describeError }, () => {
        throw "no error at all";
      }),
    );
    equal((await onlyTask(holdfast, described)).error, describeError());

    const broken = () => {
      throw new Error("cannot say");
    };
    const own = await thrownBy(() =>
      reportTask(holdfast, { ...kind(undescribed), describeError: broken }, () => {
        throw new Error("of the work");
      }),
    );
    equal(String(own), "Error: of the work");
    equal((await onlyTask(holdfast, undescribed)).error?.message, "Error: of the work");
  },

  "an abort reaches the work, and ends the task as cancelled": async ({ holdfast, mark }) => {
    const type = mark();
    let askedAt = 0;
    let heardAt = 0;
    const error = await thrownBy(() =>
      reportTask(holdfast, kind(type), async ({ id, signal }) => {
        await until(async () => (await onlyTaskOrNone(holdfast, type))?.is_abortable === true, "it can be aborted");
        // By then a heartbeat is held back.
        await sleep(500);
        signal.addEventListener("abort", () => {
          heardAt = performance.now();
        });
        askedAt = performance.now();
        await holdfast.tasks.abort(id, "the disk is needed");
        await until(() => signal.aborted, "the work is aborted");
        signal.throwIfAborted();
      }),
    );
    // It is two seconds, and more where other jobs need the machine. Without being woken it would hear of it after 30 s.
    holds(heardAt - askedAt < 15_000, `within two seconds, not ${heardAt - askedAt} ms`);
    equal(String(error), "AbortError: the disk is needed");
    const task = await onlyTask(holdfast, type);
    equal([task.status, task.outcome, task.abort?.reason], ["aborted", "cancelled", "the disk is needed"]);
  },

  "work that is stopped on its host is interrupted": async ({ holdfast, mark }) => {
    const [running, never] = [mark(), mark()];
    const stop = new AbortController();
    const error = await thrownBy(() =>
      reportTask(holdfast, { ...kind(running), signal: stop.signal }, async ({ signal }) => {
        stop.abort(new Error("Ctrl-C"));
        signal.throwIfAborted();
      }),
    );
    equal(String(error), "Error: Ctrl-C");
    const task = await onlyTask(holdfast, running);
    equal([task.status, task.outcome, task.error?.code], ["aborted", "error", "interrupted"]);
    // One that was aborted before is heard of at once.
    await thrownBy(() =>
      reportTask(holdfast, { ...kind(never), signal: stop.signal }, ({ signal }) => signal.throwIfAborted()),
    );
    equal((await onlyTask(holdfast, never)).error?.code, "interrupted");
  },

  "a task that began while the service was away is as old as it is": async ({ holdfast, openLane, mark }) => {
    const { lane, client } = openLane();
    const type = mark();
    await lane.rule({ pattern: ".", fault: { kind: "cut before" } });
    const beganAt = Date.now();
    const problems: string[] = [];
    const onProblem = (problem: string) => void problems.push(problem);
    await reportTask(client, { ...kind(type), onProblem }, async (task) => {
      task.log("😀 before\0\ud800\n");
      await sleep(4_000);
      await lane.rule();
      await until(async () => (await onlyTaskOrNone(holdfast, type)) !== undefined, "the task arrives");
    });
    equal(problems, []);
    const task = await onlyTask(holdfast, type);
    const created = Date.parse(task.created_timestamp);
    holds(Math.abs(created - beganAt) < 3_500, `it began ${created - beganAt} ms after it really did`);
    equal(await holdfast.tasks.downloadLog(task.id), "😀 before␀\ufffd\n");
  },

  "an end that cannot be delivered is given up, and said once": async ({ holdfast, openLane, mark }) => {
    const { lane, client } = openLane();
    const type = mark();
    const problems: string[] = [];
    const onProblem = (problem: string) => {
      problems.push(problem);
      throw new Error("A problem with the problem.");
    };
    let workEnded = 0;
    const result = await reportTask(client, { ...kind(type), onProblem, lingerMs: 700 }, async (task) => {
      await until(async () => (await onlyTaskOrNone(holdfast, type)) !== undefined, "the task is there");
      await lane.rule({ pattern: ".", fault: { kind: "cut before" } });
      task.progress(50);
      workEnded = performance.now();
      return "as it is";
    });
    const lingered = performance.now() - workEnded;
    equal(result, "as it is");
    holds(lingered < 9_000, `at most 700 ms, not ${lingered}`);
    equal(problems.length, 1);
    holds(given(problems[0]).includes("could not be delivered in time"), given(problems[0]));
    equal((await onlyTask(holdfast, type)).status, "in_progress");
    const asked = (await lane.requests(".")).length;
    await sleep(1_500);
    equal((await lane.requests(".")).length, asked);
  },

  "a log that is too long to keep has a gap, and its end": async ({ holdfast, openLane, mark }) => {
    const { lane, client } = openLane();
    const type = mark();
    await lane.rule({ pattern: ".", fault: { kind: "cut before" } });
    const line = "ä€😀 line ";
    await reportTask(client, kind(type), async (task) => {
      // About 1.5 MiB of UTF-16, of which 1 MiB is kept.
      for (let at = 0; at < 120_000; at++) task.log(`${line}${at}\n`);
      await lane.rule();
    });
    const task = await onlyTask(holdfast, type);
    equal([task.status, task.outcome], ["completed", "success"]);
    const log = await holdfast.tasks.downloadLog(task.id);
    holds(log.endsWith(`${line}119999\n`), "the end is there");
    holds(!log.includes(`${line}5\n`) && !log.includes("\ufffd"), "the beginning is not, and no character is broken");
    const { dropped } = await holdfast.tasks.readLog(task.id);
    equal(given(dropped).from, 0);
    // As many bytes are missing as the lines before had.
    const [, first = ""] = /line (\d+)\n/.exec(log.slice(log.indexOf(`\n${line}`))) ?? [];
    holds(Number(first) > 5, `the log continues at line ${first}`);
  },

  "work runs although nothing of it may be reported": async ({ holdfast, openLane, mark }) => {
    const { lane, client } = openLane();
    const refusal = {
      kind: "answer",
      status: 401,
      body: '{"errors":[{"error_code":40101,"error_message":"No."}]}',
    } as const;
    await lane.rule({ pattern: "^POST /task-reports", fault: refusal });
    const errors: unknown[] = [];
    const onProblem = (_: string, error: unknown) => void errors.push(error);
    const options = { ...kind(mark()), onProblem };
    const result = await reportTask(client, options, async (task) => {
      task.progress(10);
      task.log("unheard\n");
      await sleep(1_200);
      return 7;
    });
    equal([result, errors.length], [7, 1]);
    holds(errors[0] instanceof HoldfastError && errors[0].status === 401, `it was refused, not ${errors[0]}`);
    // The beginning, and at the end once more.
    equal((await lane.requests("task")).length, 2);

    // A heartbeat that is refused says it while the work runs.
    const lost = openLane();
    const gone = {
      kind: "answer",
      status: 409,
      body: '{"errors":[{"error_code":40908,"error_message":"Taken over."}]}',
    } as const;
    await lost.lane.rule({ pattern: "^PATCH /tasks", fault: gone });
    const heard: string[] = [];
    await reportTask(lost.client, { ...kind(mark()), onProblem: (problem) => void heard.push(problem) }, async () => {
      await until(() => heard.length > 0, "the problem is said");
    });
    equal(heard.length, 1);
    holds(given(heard[0]).endsWith("Taken over."), given(heard[0]));
    equal((await lost.lane.requests("^PATCH")).length, 1);
    holds((await holdfast.caller.read()).permissions.length > 0, "the service is there");
  },

  "a task that is gone from the service's memory is reported on with a gap": async ({ holdfast, openLane, mark }) => {
    const { lane, client } = openLane();
    const type = mark();
    await reportTask(client, kind(type), async (task) => {
      task.log("first ");
      await until(async () => (await lane.requests("^POST")).length > 1, "the first piece was sent");
      const errors = [{ error_code: 40911, error_message: "There is a gap." }];
      const lacking = JSON.stringify({ results: [{ operation: "log", status: 409, errors }] });
      await lane.rule({ pattern: "^POST", times: 1, fault: { kind: "answer", status: 200, body: lacking } });
      task.log("second");
    });
    const task = await onlyTask(holdfast, type);
    equal([task.status, await holdfast.tasks.downloadLog(task.id)], ["completed", "first second"]);
  },
};

async function onlyTaskOrNone(holdfast: Client, type: string) {
  return (await holdfast.tasks.list({ filter: { type } }).first(1))[0];
}
