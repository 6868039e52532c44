import { describe, expect, test } from "bun:test";
import { z } from "zod";
import type { ListOperation, Resource } from "../conventions/operation";
import { documentedOperations, filtersOf, variablesOf } from "./operations";

const list: ListOperation = {
  kind: "list",
  id: "list-things",
  method: "get",
  path: "/things",
  permission: "tasks:read",
  summary: "As it was.",
  item: z.object({}),
  filters: { colour: { kind: "word", operators: ["$eq"], description: "Old." } },
};
const newList: ListOperation = {
  ...list,
  summary: "As it is.",
  filters: {
    colour: { kind: "word", operators: ["$eq", "$in"], description: "New." },
    size: { kind: "word", operators: ["$eq"], description: "How large." },
  },
};
const things: Resource = {
  name: "things",
  description: "Things.",
  versions: [
    { version: 1, operations: [list, { ...list, id: "list-lost-things" }] },
    { version: 2, operations: [newList] },
  ],
};

describe("documented operations", () => {
  test("are one for each operation id, with its versions newest first", () => {
    const shown = documentedOperations([things]).map(({ newest, versions }) => ({
      id: newest.id,
      summary: newest.summary,
      versions: versions.map(({ version }) => version),
    }));
    expect(shown).toEqual([
      { id: "list-things", summary: "As it is.", versions: [2, 1] },
      { id: "list-lost-things", summary: "As it was.", versions: [1] },
    ]);
  });

  test("have the filters of all their versions, in the words of the newest", () => {
    expect(documentedOperations([things]).map(filtersOf)).toEqual([newList.filters, list.filters]);
  });

  test("have the variables of their path", () => {
    expect(variablesOf("/a/{a_id}/b/{b_id}")).toEqual(["a_id", "b_id"]);
    expect(variablesOf("/a")).toEqual([]);
  });
});
