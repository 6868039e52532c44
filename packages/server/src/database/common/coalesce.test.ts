import { expect, test } from "bun:test";
import { coalesce } from "./coalesce";

/** Work of which each run ends when it is told to. */
function stepwise() {
  const runs: PromiseWithResolvers<string>[] = [];
  const ask = coalesce(() => {
    const run = Promise.withResolvers<string>();
    runs.push(run);
    return run.promise;
  });
  return { ask, runs };
}

/** Waits until the turn of the event loop has ended. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("all who ask in one turn share the run that begins at its end", async () => {
  const { ask, runs } = stepwise();
  const answers = [ask(), ask()];
  await Promise.resolve();
  answers.push(ask());
  expect(runs.length).toBe(0);
  await turn();
  runs[0]?.resolve("first");
  expect(await Promise.all(answers)).toEqual(["first", "first", "first"]);
  expect(runs.length).toBe(1);
});

test("all who ask during a run share the next one, which begins when that has ended", async () => {
  const { ask, runs } = stepwise();
  const first = ask();
  await turn();
  const later = [ask(), ask(), ask()];
  await turn();
  expect(runs.length).toBe(1);
  runs[0]?.resolve("first");
  expect(await first).toBe("first");
  await turn();
  expect(runs.length).toBe(2);
  const latest = ask();
  runs[1]?.resolve("second");
  expect(await Promise.all(later)).toEqual(["second", "second", "second"]);
  await turn();
  runs[2]?.resolve("third");
  expect(await latest).toBe("third");
});

test("a run that fails is a failure for those who share it alone", async () => {
  const { ask, runs } = stepwise();
  const first = ask();
  await turn();
  const second = ask();
  runs[0]?.reject(new Error("broken"));
  await expect(first).rejects.toThrow("broken");
  await turn();
  runs[1]?.resolve("well");
  expect(await second).toBe("well");
  await turn();
  const third = ask();
  await turn();
  expect(runs.length).toBe(3);
  runs[2]?.resolve("still well");
  expect(await third).toBe("still well");
});

test("no result is older than the question, however many ask at whatever moment", async () => {
  let begun = 0;
  const ask = coalesce(async () => {
    const at = ++begun;
    await Bun.sleep(1);
    return at;
  });
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      await Bun.sleep(index % 17);
      const before = begun;
      return (await ask()) > before;
    }),
  );
  expect(answers).toEqual(answers.map(() => true));
  expect(begun).toBeLessThan(100);
});
