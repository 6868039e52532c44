import type { Command } from "commander";
import { parseChoice, parsePast, parseWords } from "../../grammar/argument-parsers";
import { type ListFlags, listVerb, pageSize } from "../../grammar/list-verb";
import { noun } from "../../grammar/noun";
import { showVerb } from "../../grammar/show-verb";
import { minute } from "../../output/moments";
import { type AuditEvent, actorOf, auditFacts, objectOf } from "./audit-facts";
import { exportCommand, verifyCommand } from "./check-audit";

interface AuditFlags extends ListFlags {
  since?: string;
  until?: string;
  operation?: string[];
  actor?: string[];
  object?: string[];
  objectType?: string[];
  result?: "done" | "refused";
}

const usualLimit = 100;

/** The audit trail. */
export function auditCommand(): Command {
  return noun("audit", "The audit trail: who did what, in a chain that shows any tampering.", [
    listEvents(),
    showVerb({
      description: "Show one audit event, with what was before and what came of it.",
      argument: ["id", "The event; see: holdfast audit list"],
      examples: ["holdfast audit show 3f2b8c1e-5d4a-4e6f-9a7b-0c1d2e3f4a5b"],
      read: (client, id) => client.auditEvents.read(id),
      id: ({ id }) => id,
      facts: auditFacts,
    }),
    verifyCommand(),
    exportCommand(),
  ]);
}

function listEvents(): Command {
  return listVerb<AuditEvent, AuditFlags, AuditEvent>({
    description: "List audit events, newest first.",
    usualLimit,
    addOptions: (command) =>
      command
        .option("--since <time>", "Only from this moment on: a timestamp, a day, or how long ago (24h).", parsePast)
        .option("--until <time>", "Only before this moment.", parsePast)
        .option("--operation <list>", "Only these operations, such as create-user, with commas.", parseWords())
        .option("--actor <list>", "Only by these users or tokens, by id.", parseWords())
        .option("--object <list>", "Only of these objects, by id.", parseWords())
        .option("--object-type <list>", "Only of these kinds of objects, such as user.", parseWords())
        .option("--result <result>", "done or refused.", parseChoice(["done", "refused"])),
    examples: [
      "holdfast audit --since 7d",
      "holdfast audit list --result refused -o csv",
      "holdfast audit list --operation create-api-token,revoke-api-token",
    ],
    list: (client, flags) => {
      const { since, until, operation, actor, object, objectType, result } = flags;
      const range = { ...(since === undefined ? {} : { $gte: since }), ...(until === undefined ? {} : { $lt: until }) };
      return client.auditEvents.list({
        limit: pageSize(flags, usualLimit),
        filter: {
          ...(since === undefined && until === undefined ? {} : { created_timestamp: range }),
          ...(operation === undefined ? {} : { operation: { $in: operation } }),
          ...(actor === undefined ? {} : { actor_id: { $in: actor } }),
          ...(object === undefined ? {} : { object_id: { $in: object } }),
          ...(objectType === undefined ? {} : { object_type: { $in: objectType } }),
          ...(result === undefined ? {} : { result }),
        },
      });
    },
    rows: (events) => events,
    shape: () => ({
      id: ({ id }) => id,
      columns: [
        {
          name: "created_timestamp",
          title: "WHEN (UTC)",
          value: (event) => event.created_timestamp,
          text: (event) => minute(event.created_timestamp),
        },
        { name: "actor", title: "WHO", value: actorOf, canShrink: true },
        { name: "operation", title: "WHAT", value: (event) => event.operation },
        { name: "object", title: "TO WHAT", isExtra: true, value: objectOf, canShrink: true },
        {
          name: "result",
          title: "RESULT",
          value: (event) => event.result,
          text: ({ result, count }) => (count > 1 ? `${result} ×${count}` : result),
          tone: ({ result }) => (result === "refused" ? "warning" : undefined),
        },
        { name: "id", title: "ID", value: (event) => event.id },
        { name: "count", title: "", value: (event) => String(event.count), isHidden: true },
        { name: "reason", title: "", value: (event) => event.reason ?? "", isHidden: true },
      ],
    }),
  });
}
