import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Panel } from "../../components/panel";
import { SafeText } from "../../components/safe-text";
import { SkeletonRows } from "../../components/states";
import { StatusMark } from "../../components/status-mark";
import { TimeText } from "../../components/time-text";
import { usePollInterval } from "../../data/idle-tracker";
import { queryKey } from "../../data/query-keys";
import { useClient, useUnit } from "../../data/unit";
import { entityLooks, lookOf, needsAttention } from "../../texts/state-words";

const howMany = 5;

/** The items that need attention most, by name. */
export function NeedsAttention({ count }: { count: number }) {
  const client = useClient();
  const unit = useUnit();
  const { data: page } = useQuery({
    queryKey: queryKey(unit, "list-entities", "attention"),
    queryFn: ({ signal }) => {
      const filter = { state: { $in: needsAttention }, is_muted: false, is_retired: false };
      return client.entities.list({ filter, sort: "state", limit: howMany, signal }).page();
    },
    refetchInterval: usePollInterval(30_000),
  });
  if (page?.items.length === 0) return null;
  return (
    <Panel
      title="Needs attention"
      aside={
        <Link to="/entities" search={{ state: needsAttention.join(",") }}>
          Show all
        </Link>
      }
    >
      {!page && <SkeletonRows count={Math.min(howMany, count)} />}
      <ul className="failures attention">
        {page?.items.map(({ id, primary_entity, state, last_good_backup }) => (
          <li key={id}>
            <StatusMark {...lookOf(entityLooks, state)} />
            <Link to="/entities/$id" params={{ id }} className="clip failure-item">
              <SafeText text={primary_entity.value} />
            </Link>
            <span className="failure-text soft">
              {last_good_backup ? (
                <>
                  last good <TimeText at={last_good_backup.end_timestamp} />
                </>
              ) : (
                "no good backup yet"
              )}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
