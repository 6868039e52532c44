import { expect, test } from "bun:test";
import { createLog } from "./log";

test("lines are written several at once, but whole and never more than a pipe takes in one piece", () => {
  const written: string[] = [];
  const output = { write: (text: string) => void written.push(text), isTerminal: false };
  const log = createLog({ level: "info", output, clock: () => 0 });
  const paths = Array.from({ length: 500 }, (_, number) => `/tasks/${"x".repeat(number % 300)}`);
  for (const path of paths) log.info("request", { path });
  log.flush();
  expect(written.filter((text) => text.length > 4096 || !text.endsWith("}\n"))).toEqual([]);
  expect(written.length).toBeLessThan(50);
  const lines = written.join("").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).path)).toEqual(paths);
});

test("warnings and errors are written at once, after what came before them", () => {
  const written: string[] = [];
  const output = { write: (text: string) => void written.push(text), isTerminal: false };
  const log = createLog({ level: "info", output, clock: () => 0 });
  log.info("first");
  log.debug("not asked for");
  log.warn("second");
  log.error("third");
  expect(written).toEqual([
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"first"}\n{"time":"1970-01-01T00:00:00.000Z","level":"warn","message":"second"}\n',
    '{"time":"1970-01-01T00:00:00.000Z","level":"error","message":"third"}\n',
  ]);
});

test("a file is given more at once than a pipe", () => {
  const written: string[] = [];
  const output = { write: (text: string) => void written.push(text), isTerminal: false, takesWhole: 65_536 };
  const log = createLog({ level: "info", output, clock: () => 0 });
  for (let number = 0; number < 500; number++) log.info("request", { path: `/tasks/${number}` });
  log.flush();
  expect(written.length).toBe(1);
  expect(written[0]?.split("\n").length).toBe(501);
});
