import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { actorText } from "../data/audit-event";
import { queryKey } from "../data/query-keys";
import { offers, useDiscovery } from "../data/rights";
import { useClient, useUnit } from "../data/unit";
import { SafeText } from "./safe-text";
import { TimeText } from "./time-text";

/** The operations that make or change a thing. Others name it, too: a user signs in. */
const operations = {
  role: ["create-role", "update-role"],
  user: ["create-user", "update-user", "invite-user", "update-account"],
  monitor: ["create-monitor", "create-monitors", "update-monitor", "rotate-monitor-url"],
  unit: ["create-organizational-unit", "update-organizational-unit"],
} as const;

/** Who changed something last, and when, with the audit events behind it; nothing for callers who may not see the audit trail. */
export function LastChange({ kind, id }: { kind: keyof typeof operations; id: string }) {
  const client = useClient();
  const { data: index } = useDiscovery();
  const { data: event } = useQuery({
    queryKey: queryKey(useUnit(), "list-audit-events", { last: id }),
    queryFn: async ({ signal }) => {
      const filter = { object_id: id, operation: { $in: operations[kind] }, result: "done" } as const;
      return (await client.auditEvents.list({ filter, limit: 1, signal }).page()).items[0] ?? null;
    },
    enabled: offers(index, "audit-events", "list-audit-events"),
  });
  if (!event) return null;
  return (
    <p className="small soft last-change">
      {event.operation.startsWith("create-") ? "Created" : "Changed"} by <SafeText text={actorText(event.actor)} />{" "}
      <TimeText at={event.created_timestamp} /> ·{" "}
      <Link to="/administration/audit" search={{ object: id }}>
        Show all changes
      </Link>
    </p>
  );
}
