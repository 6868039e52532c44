import { expect, test } from "bun:test";
import { createLoopTurns } from "./loop-turns";

/** A loop whose time passes, and whose turns end, as the test says. */
function openLoop() {
  let now = 0;
  let endTurn = () => {};
  const isTooMany = createLoopTurns({
    now: () => now,
    afterTurn: (work) => {
      endTurn = work;
    },
  });
  return {
    /** Begins requests of which each takes so many milliseconds, and says how many of them were too many. */
    turn(requests: number, each: number): number {
      let refused = 0;
      for (let count = 0; count < requests; count++) {
        const isRefused = isTooMany();
        refused += Number(isRefused);
        now += isRefused ? 0.05 : each;
      }
      endTurn();
      return refused;
    },
    pass(milliseconds: number): void {
      now += milliseconds;
    },
  };
}

test("requests that are answered in time are all taken, in turns one after the other", () => {
  const loop = openLoop();
  const turns = Array.from({ length: 100 }, () => loop.turn(90, 1));
  expect(new Set(turns)).toEqual(new Set([0]));
});

test("what comes after a tenth of a second of one turn is too many, and after that a turn is short until it is calm", () => {
  const loop = openLoop();
  expect(loop.turn(200, 1)).toBe(200 - 128);
  expect(loop.turn(50, 0.25)).toBe(50 - 13);
  loop.pass(250);
  expect(loop.turn(50, 0.25)).toBe(50 - 13);
  loop.pass(350);
  expect(loop.turn(50, 0.25)).toBe(0);
});

test("a few are answered in each turn, however crowded it was", () => {
  const loop = openLoop();
  expect(loop.turn(200, 1)).toBe(200 - 128);
  expect(loop.turn(4, 2)).toBe(0);
  expect(loop.turn(5, 2)).toBe(1);
});

test("a few clients that go on asking are no crowd: once the others are gone, they are all answered again", () => {
  const loop = openLoop();
  expect(loop.turn(200, 1)).toBe(200 - 128);
  const refused = Array.from({ length: 100 }, () => loop.turn(8, 1));
  expect(refused[0]).toBe(4);
  expect(refused.at(-1)).toBe(0);
});

test("a few slow answers are no crowd, however long they take", () => {
  const loop = openLoop();
  expect(loop.turn(128, 500)).toBe(0);
  expect(loop.turn(129, 500)).toBe(1);
});
