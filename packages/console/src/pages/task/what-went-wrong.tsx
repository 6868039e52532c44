import type { Task } from "@holdfast/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Untrusted, UntrustedBlock } from "../../components/untrusted";
import { queryKey } from "../../data/query-keys";
import { useClient, useUnit } from "../../data/unit";
import { counted } from "../../texts/numbers";

type TaskError = NonNullable<Task["error"]>;

/** Why a task failed, what to do about it, and how many others failed alike. */
export function WhatWentWrong({ error }: { error: TaskError }) {
  const client = useClient();
  const unit = useUnit();
  const { data: alike } = useQuery({
    queryKey: queryKey(unit, "list-tasks", { alike: error.code }),
    queryFn: async ({ signal }) => {
      const since = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 7 * 86_400_000);
      const filter = { "error.code": error.code, created_timestamp: { $gte: since } };
      return (await client.tasks.list({ filter, limit: 1, signal }).page()).total_count;
    },
    enabled: error.code !== "",
  });
  return (
    <section className="notice notice-error wrong" aria-label="What went wrong">
      <div className="spread">
        <h2>What went wrong</h2>
        <span className="row small">
          {error.code && <code>{error.code}</code>}
          {alike !== undefined && alike > 1 && (
            <Link to="/tasks" search={{ error: error.code, since: "7d" }}>
              {counted(alike, "task")} with this error in the last 7 days
            </Link>
          )}
        </span>
      </div>
      <div className="ink">
        <UntrustedBlock text={error.message} />
      </div>
      {error.remedy && (
        <p className="ink">
          <strong>What to do: </strong>
          <Untrusted text={error.remedy} most={2000} />
        </p>
      )}
    </section>
  );
}
