import { z } from "zod";
import { lineField, textField } from "../conventions/body-fields";
import type { FilterFields } from "../conventions/filter";
import { itemLinks } from "../conventions/hal";
import { timestamp, uuid } from "../conventions/item-fields";
import type { Resource } from "../conventions/operation";
import { textLimits } from "../conventions/text-limits";
import { viewPageNames } from "./view-pages";

export const viewV1 = z.object({
  id: uuid.describe("The view's id."),
  name: z.string().describe("Its name, unique among the views of its page that its owner has."),
  page: z.enum(viewPageNames).describe("The page of the console that it is a view of, by the resource that it lists."),
  query: z.string().describe("The query of the page's address, such as `outcome=error,lost&since=7d`."),
  is_shared: z
    .boolean()
    .describe("Whether it is shared in its organizational unit. A private view is seen by its person only."),
  organizational_unit_id: uuid
    .nullable()
    .describe("The organizational unit in which it is shared; null for a private view, which is there in every unit."),
  created_timestamp: timestamp.describe("When it was saved."),
  _links: itemLinks,
});

export type ViewV1 = z.infer<typeof viewV1>;

export const viewFilters = {
  name: { kind: "name", operators: ["$contains", "$begins_with", "$eq"], description: "The name, in any letter case." },
  id: { kind: "id", operators: ["$eq", "$in"], description: "The view's id." },
  page: { kind: "word", operators: ["$eq", "$in", "$neq"], description: "The page that it is a view of." },
  is_shared: { kind: "flag", operators: ["$eq"], description: "Whether it is shared." },
  organizational_unit_id: {
    kind: "id",
    operators: ["$eq", "$in"],
    description: "The organizational unit in which it is shared, without those below it.",
  },
} as const satisfies FilterFields;

export type ViewFilterField = keyof typeof viewFilters;

const path = "/views";
const itemPath = "/views/{view_id}";
const name = lineField(textLimits.viewName).describe(`Name, 1 to ${textLimits.viewName} characters.`);
const query = textField(textLimits.viewQuery).describe(
  `The query of the page's address, percent-encoded, at most ${textLimits.viewQuery} characters. Its filter and its order have to be those of the page.`,
);
const isShared = z
  .boolean()
  .describe(
    "Whether everyone who may see views in the organizational unit sees it, by default false. Needs `views:write`.",
  );

export const viewBodies = {
  create: z.object({ name, page: viewV1.shape.page, query, is_shared: isShared.optional() }).meta({
    examples: [{ name: "Failures of the week", page: "tasks", query: "outcome=error,lost&since=7d", is_shared: true }],
  }),
  update: z
    .object({ name: name.optional(), query: query.optional(), is_shared: isShared.optional() })
    .meta({ examples: [{ name: "Failures of the month", query: "outcome=error,lost&since=30d" }] }),
};

export const views = {
  name: "views",
  description:
    "Saved views of the lists of the console: a name for a query, private or shared in an organizational unit.",
  versions: [
    {
      version: 1,
      operations: [
        {
          kind: "list",
          id: "list-views",
          method: "get",
          path,
          permission: "views:read",
          allowsSelf: true,
          summary:
            "List the views that are shared in the organizational unit and in those below it, and the caller's private ones, by name.",
          example:
            'for await (const view of holdfast.views.list({ filter: { page: "tasks" } })) console.log(view.name, view.query);',
          filters: viewFilters,
          item: viewV1,
        },
        {
          kind: "read",
          id: "read-view",
          method: "get",
          path: itemPath,
          permission: "views:read",
          allowsSelf: true,
          summary: "Read one view.",
          example: "const { page, query } = await holdfast.views.read(viewId);",
          item: viewV1,
        },
        {
          kind: "write",
          id: "create-view",
          method: "post",
          path,
          permission: "views:write",
          allowsSelf: true,
          summary: "Save a view of a list, for oneself or shared in the organizational unit.",
          example: `
            await holdfast.views.create({
              name: "Failures of the week",
              page: "tasks",
              query: "outcome=error,lost&since=7d",
              is_shared: true,
            });
          `,
          body: viewBodies.create,
          status: 201,
          item: viewV1,
        },
        {
          kind: "write",
          id: "update-view",
          method: "patch",
          path: itemPath,
          permission: "views:write",
          allowsSelf: true,
          summary:
            "Rename a view, change its query, share it in the organizational unit, or make it private to the caller.",
          example: 'await holdfast.views.update(viewId, { query: "outcome=error,lost&since=30d" });',
          body: viewBodies.update,
          status: 200,
          item: viewV1,
        },
        {
          kind: "write",
          id: "delete-view",
          method: "delete",
          path: itemPath,
          permission: "views:write",
          allowsSelf: true,
          summary: "Delete a view.",
          example: "await holdfast.views.delete(viewId);",
          status: 204,
        },
      ],
    },
  ],
} as const satisfies Resource;
