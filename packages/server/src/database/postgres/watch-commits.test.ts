import { expect, test } from "bun:test";
import { DatabaseUnavailable } from "../errors";
import { watchCommits } from "./watch-commits";

/** A watch with a short timeout, on commits that are held up where a test says so, and what it says. */
function startWatch(answer: () => boolean) {
  const said: unknown[] = [];
  const notify = (level: string, message: string) => said.push([level, message]);
  return { said, ...watchCommits({ timeoutMs: 15, areHeldUp: async () => answer(), notify }) };
}

const away = ["warn", "The database does not confirm commits, so changes are answered with 503 until it does."];
const back = ["info", "The database confirms commits again."];

test("a change that takes long for other reasons is waited for", async () => {
  const { guard, said } = startWatch(() => false);
  const slow = async () => {
    await Bun.sleep(60);
    return "done";
  };
  expect(await guard(slow)).toBe("done");
  const refusal = new Error("refused");
  await expect(guard(() => Promise.reject(refusal))).rejects.toBe(refusal);
  expect(said).toEqual([]);
});

test("while commits are held up changes are given up, none is begun, and afterwards all are", async () => {
  let isHeldUp = true;
  const { guard, said } = startWatch(() => isHeldUp);
  let begun = 0;
  const change = async () => {
    begun += 1;
    return begun;
  };
  const never = Promise.withResolvers<void>();
  await expect(guard(() => never.promise)).rejects.toBeInstanceOf(DatabaseUnavailable);
  await expect(guard(change)).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(begun).toBe(0);
  isHeldUp = false;
  for (; said.length < 2; await Bun.sleep(5));
  expect(await guard(change)).toBe(1);
  expect(said).toEqual([away, back]);
});

test("a change that is given up while it waits for its locks does not proceed later", async () => {
  const { guard } = startWatch(() => true);
  const locks = Promise.withResolvers<void>();
  const effects: string[] = [];
  const waiting = guard(async (proceed) => {
    await locks.promise;
    proceed();
    effects.push("written");
  });
  await expect(waiting).rejects.toBeInstanceOf(DatabaseUnavailable);
  locks.resolve();
  await Bun.sleep(1);
  expect(effects).toEqual([]);
});

function doesNotAnswer(): never {
  throw new DatabaseUnavailable("The database does not answer.");
}

test("when the primary is lost meanwhile, changes are tried again on the next one", async () => {
  let asked = 0;
  const { guard, said } = startWatch(() => {
    asked += 1;
    return asked > 1 ? doesNotAnswer() : true;
  });
  const never = Promise.withResolvers<void>();
  await expect(guard(() => never.promise)).rejects.toBeInstanceOf(DatabaseUnavailable);
  for (; asked < 2; await Bun.sleep(5));
  await Bun.sleep(1);
  expect(await guard(async () => "tried")).toBe("tried");
  expect(said).toEqual([away]);
});
