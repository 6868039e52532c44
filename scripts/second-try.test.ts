import { expect, test } from "bun:test";
import { type Tried, tryAgain } from "./second-try";

const passing: Tried = { tally: { passed: 5, failed: 0, skipped: 0 }, failed: [] };
const failing = (name: string, again?: () => Promise<Tried>): Tried => ({
  tally: { passed: 4, failed: 1, skipped: 0 },
  failed: [name],
  again,
});
const passesAlone = async () => passing;

test("what passes alone has passed, and is named", async () => {
  const { results, unsteady } = await tryAgain([passing, failing("a", passesAlone)]);
  expect(results.map(({ tally }) => tally)).toEqual([passing.tally, passing.tally]);
  expect(unsteady).toEqual(["a"]);
});

test("what fails alone, too, has failed with what it said first", async () => {
  const { results, unsteady } = await tryAgain([failing("a", async () => failing("alone"))]);
  expect(results.map(({ tally, failed }) => [tally.failed, failed])).toEqual([[1, ["a"]]]);
  expect(unsteady).toEqual([]);
});

test("a job that ended in another way, and each of many that failed, has no second try", async () => {
  expect((await tryAgain([failing("ended")])).results.map(({ failed }) => failed)).toEqual([["ended"]]);
  let tries = 0;
  const counted = async () => {
    tries += 1;
    return passing;
  };
  const many = ["a", "b", "c", "d"].map((name) => failing(name, counted));
  expect((await tryAgain(many)).results).toEqual(many);
  expect(tries).toBe(0);
});
