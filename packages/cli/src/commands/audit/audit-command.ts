import type { Command } from "commander";
import { parseChoice, parseWords } from "../../grammar/argument-parsers";
import { resourceNoun } from "../../grammar/resource-noun";
import { hidden } from "../../output/columns";
import { type AuditEvent, actorOf, auditFacts, objectOf } from "./audit-facts";
import { exportCommand, verifyCommand } from "./check-audit";

/** The audit trail. */
export function auditCommand(): Command {
  return resourceNoun<"audit-events", AuditEvent>({
    name: "audit",
    description: "The audit trail: who did what, in a chain that shows any tampering.",
    resource: "audit-events",
    calls: ({ auditEvents }) => auditEvents,
    argument: ["id", "The event; see: holdfast audit list"],
    find: async (_, id) => id,
    columns: [
      { name: "created_timestamp", title: "WHEN (UTC)" },
      { name: "actor", title: "WHO", value: actorOf, canShrink: true },
      { name: "operation", title: "WHAT" },
      { name: "object", title: "TO WHAT", isExtra: true, value: objectOf, canShrink: true },
      {
        name: "result",
        text: ({ result, count }) => (count > 1 ? `${result} ×${count}` : result),
        tone: ({ result }) => (result === "refused" ? "warning" : undefined),
      },
      "id",
      ...hidden("count", "reason"),
    ],
    facts: auditFacts,
    list: {
      description: "List audit events, newest first.",
      defaultLimit: 100,
      filters: {
        created_timestamp: {},
        operation: "Only these operations, such as create-user, with commas.",
        actor_id: { flags: "--actor <list>", text: "Only by these users or tokens, by id.", parse: parseWords() },
        object_id: { flags: "--object <list>", text: "Only of these objects, by id.", parse: parseWords() },
        object_type: "Only of these kinds of objects, such as user.",
        result: { flags: "--result <result>", text: "done or refused.", parse: parseChoice(["done", "refused"]) },
      },
      examples: [
        "holdfast audit --since 7d",
        "holdfast audit list --result refused -o csv",
        "holdfast audit list --operation create-api-token,revoke-api-token",
      ],
    },
    show: {
      description: "Show one audit event, with what was before and what came of it.",
      examples: ["holdfast audit show 3f2b8c1e-5d4a-4e6f-9a7b-0c1d2e3f4a5b"],
    },
    verbs: [verifyCommand(), exportCommand()],
  });
}
