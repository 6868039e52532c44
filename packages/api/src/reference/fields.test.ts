import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { itemLinks } from "../conventions/hal";
import { documentedEnvelope, documentedFields } from "./fields";

describe("documented fields", () => {
  test("have their type in words, and those of nested objects follow by their path", () => {
    const item = z.object({
      id: z.string().describe("The id."),
      progress: z.int().min(0).max(100),
      count: z.int().nonnegative(),
      state: z.enum(["on", "off"]).nullable(),
      ended: z.string().nullable().describe("When it ended."),
      tags: z.array(z.string()),
      entity: z.object({ name: z.string() }).nullable(),
      grants: z.array(z.object({ role: z.string(), units: z.array(z.string()) })),
      is_done: z.boolean(),
      _links: itemLinks,
    });
    expect(documentedFields(item)).toEqual([
      { name: "id", type: "string", description: "The id." },
      { name: "progress", type: "whole number from 0 to 100", description: "" },
      { name: "count", type: "whole number", description: "" },
      { name: "state", type: "one of on, off, or null", description: "" },
      { name: "ended", type: "string or null", description: "When it ended." },
      { name: "tags", type: "list of strings", description: "" },
      { name: "entity", type: "object or null", description: "" },
      { name: "entity.name", type: "string", description: "" },
      { name: "grants", type: "list of objects", description: "" },
      { name: "grants[].role", type: "string", description: "" },
      { name: "grants[].units", type: "list of strings", description: "" },
      { name: "is_done", type: "boolean", description: "" },
      { name: "_links", type: "object", description: "Links of the item." },
    ]);
  });

  test("of a list's envelope do not repeat those of its items", () => {
    expect(documentedEnvelope().map(({ name }) => name)).toEqual([
      "_embedded",
      "_embedded.items",
      "_links",
      "current_count",
      "total_count",
      "start",
      "total_pages_count",
      "limit",
      "filter_applied",
    ]);
  });
});
