import { z } from "zod";
import type { FilterFields } from "../conventions/filter";
import { itemLinks } from "../conventions/hal";
import { timestamp, uuid } from "../conventions/item-fields";
import type { Resource } from "../conventions/operation";

const auditResults = ["done", "refused"] as const;

export const auditEventV1 = z.object({
  id: uuid.describe("The event's id."),
  number: z.int().min(1).describe("Its place in the chain, counted from 1 without a gap."),
  created_timestamp: timestamp.describe("When it happened."),
  actor: z
    .object({
      kind: z.string().describe("`user`, `service`, `command_line`, `system` for Holdfast itself, or `nobody`."),
      user_id: uuid.nullable().describe("The user who acted."),
      token_id: uuid.nullable().describe("The API token that was used."),
      address: z.string().nullable().describe("The network address that the request came from."),
      name: z
        .string()
        .nullable()
        .describe(
          "The name of the user or the service token, as it was then; null where neither acted, and in events of older versions.",
        ),
    })
    .describe("Who acted."),
  operation: z.string().describe("What was done or tried: an operation id, `sign-in` and the like."),
  object: z
    .object({
      type: z.string().describe("What kind of thing it is."),
      id: z.string().nullable().describe("Its id, as far as one is known."),
      name: z
        .string()
        .nullable()
        .describe(
          "Its name, as it was then; null where it has none or nothing was done, and in events of older versions.",
        ),
    })
    .nullable()
    .describe("What it was done to."),
  organizational_unit_id: uuid.nullable().describe("The unit that was acted in."),
  request_id: z.string().nullable().describe("The id of the request, which the log has too."),
  result: z.enum(auditResults).describe("`done`, or `refused`."),
  reason: z.string().nullable().describe("Why it was refused."),
  count: z.int().min(1).describe("Number of equal events that this one stands for."),
  before: z.unknown().describe("What it was before, without secrets."),
  after: z.unknown().describe("What it became, without secrets."),
  previous_hash: z.string().describe("The hash of the event before."),
  hash: z.string().describe("The hash of this event, the one before included."),
  _links: itemLinks,
});

export type AuditEventV1 = z.infer<typeof auditEventV1>;

export const auditEventFilters = {
  actor_id: {
    kind: "id",
    operators: ["$eq", "$in"],
    description: "The user or the token that acted.",
  },
  operation: { kind: "word", operators: ["$eq", "$in", "$neq"], description: "What was done or tried." },
  object_type: { kind: "word", operators: ["$eq", "$in"], description: "What kind of thing it was done to." },
  object_id: { kind: "id", operators: ["$eq", "$in"], description: "What it was done to." },
  organizational_unit_id: {
    kind: "id",
    operators: ["$eq", "$in"],
    description: "The unit that was acted in, and not those below it.",
  },
  created_timestamp: { kind: "timestamp", operators: ["$gt", "$gte", "$lt", "$lte"], description: "When it happened." },
  result: { kind: "word", operators: ["$eq", "$in", "$neq"], description: "`done` or `refused`." },
} as const satisfies FilterFields;

export type AuditEventFilterField = keyof typeof auditEventFilters;

export const auditEvents = {
  name: "audit-events",
  description: "Who did or tried what, when and to what, in a chain that shows any tampering.",
  versions: [
    {
      version: 1,
      operations: [
        {
          kind: "list",
          id: "list-audit-events",
          method: "get",
          path: "/audit-events",
          permission: "audit-events:read",
          summary: "List the audit events of the organizational unit and below it, newest first.",
          example: 'const refused = await holdfast.auditEvents.list({ filter: { result: "refused" } }).first(20);',
          filters: auditEventFilters,
          item: auditEventV1,
        },
        {
          kind: "read",
          id: "read-audit-event",
          method: "get",
          path: "/audit-events/{audit_event_id}",
          permission: "audit-events:read",
          summary: "Read one audit event.",
          example: "const { actor, operation } = await holdfast.auditEvents.read(auditEventId);",
          item: auditEventV1,
        },
      ],
    },
  ],
} as const satisfies Resource;
