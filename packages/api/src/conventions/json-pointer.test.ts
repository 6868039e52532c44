import { expect, test } from "bun:test";
import { jsonPointer } from "./json-pointer";

// The examples of RFC 6901, section 5, and one that has both signs that are escaped.
test.each([
  [[], ""],
  [["foo"], "/foo"],
  [["foo", 0], "/foo/0"],
  [[""], "/"],
  [["a/b"], "/a~1b"],
  [["c%d"], "/c%d"],
  [["e^f"], "/e^f"],
  [["g|h"], "/g|h"],
  [["i\\j"], "/i\\j"],
  [['k"l'], '/k"l'],
  [[" "], "/ "],
  [["m~n"], "/m~0n"],
  [["~1/~0", "x"], "/~01~1~00/x"],
])("the way %p is written %p", (path, pointer) => {
  expect(jsonPointer(path)).toBe(pointer);
});
