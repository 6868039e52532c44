import { expect, test } from "bun:test";
import type { Fault } from "./api-error";
import { formatSort, parseSort, type SortNames, sortValues } from "./sort";

const plain: SortNames = { names: { name: "the name", size: "the size" } };
const withDefault: SortNames = { ...plain, default: "size" };

test("every name can be asked for, upwards and downwards, and is written as it was read", () => {
  const faults: Fault[] = [];
  expect(sortValues(plain)).toEqual(["name", "-name", "size", "-size"]);
  for (const value of sortValues(plain)) {
    const sort = parseSort(value, plain, faults);
    expect(sort).toEqual({
      name: value.replace("-", ""),
      direction: value.startsWith("-") ? "down" : "up",
    });
    expect(sort && formatSort(sort)).toBe(value);
  }
  expect(faults).toEqual([]);
});

test("where nothing is asked for, the usual order holds, if it has a name", () => {
  const faults: Fault[] = [];
  expect(parseSort(undefined, plain, faults)).toBeUndefined();
  expect(parseSort("", plain, faults)).toBeUndefined();
  expect(parseSort("", withDefault, faults)).toEqual({ name: "size", direction: "up" });
  expect(faults).toEqual([]);
});

test("anything else is a fault that shows what would be right", () => {
  for (const wrong of ["Name", "--name", "-", "name,size", "+name", "constructor", "__proto__", " name"]) {
    const faults: Fault[] = [];
    expect(parseSort(wrong, withDefault, faults)).toBeUndefined();
    expect(faults).toEqual([
      {
        name: "parameterInvalid",
        message: `The parameter sort is ${JSON.stringify(wrong)}. Give one of name, -name, size, -size.`,
        field: "sort",
      },
    ]);
  }
});
