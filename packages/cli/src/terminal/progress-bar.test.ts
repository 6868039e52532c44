import { expect, test } from "bun:test";
import { createProgressBar } from "./progress-bar";

function record(isTTY: boolean) {
  const written: string[] = [];
  return { written, stream: { isTTY, columns: 30, write: (text: string) => written.push(text) } };
}

test("a progress bar draws on a terminal and clears its line at the end", () => {
  const { written, stream } = record(true);
  const bar = createProgressBar({ label: "Importing", total: 200, stream });
  bar.advance(100);
  bar.done();
  expect(written).toEqual(["\r\x1b[2KImporting ██████░░░░░░░  50%", "\r\x1b[2K"]);
});

test("a progress bar goes on to something else", () => {
  const { written, stream } = record(true);
  const bar = createProgressBar({ label: "Importing", total: 1, stream });
  bar.advance(1);
  bar.show("Building indexes", 1, 2);
  expect(written).toEqual(["\r\x1b[2KImporting █████████████ 100%", "\r\x1b[2KBuilding indexes ███░░░  50%"]);
});

test("a progress bar never shows more than all", () => {
  const { written, stream } = record(true);
  createProgressBar({ label: "Importing", total: 1, stream }).advance(5);
  expect(written).toEqual(["\r\x1b[2KImporting █████████████ 100%"]);
});

test("a progress bar writes nothing where there is no terminal", () => {
  const { written, stream } = record(false);
  const bar = createProgressBar({ label: "Importing", total: 10, stream });
  bar.advance(10);
  bar.done();
  expect(written).toEqual([]);
});
