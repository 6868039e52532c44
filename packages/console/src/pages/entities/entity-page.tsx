import { etagOf } from "@holdfast/client";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ShowApiCall } from "../../components/api-call";
import { GatedButton } from "../../components/gated";
import { OutcomeStrip } from "../../components/outcome-strip";
import { Page } from "../../components/page";
import { Panel } from "../../components/panel";
import { ErrorState, SkeletonRows } from "../../components/states";
import { TimeText } from "../../components/time-text";
import { Untrusted } from "../../components/untrusted";
import { useChange } from "../../data/change";
import { nameOf, useUnits } from "../../data/names";
import { type Entity, stripRuns } from "../../data/protection";
import { queryKey } from "../../data/query-keys";
import { useClient, useUnit } from "../../data/unit";
import { roughDuration } from "../../texts/durations";
import { counted } from "../../texts/numbers";
import { EntityState, Evidence } from "./entities-page";

const week = 7 * 86_400_000;

export function EntityPage() {
  const { id = "" } = useParams({ strict: false });
  const client = useClient();
  const unit = useUnit();
  const {
    data: entity,
    error,
    refetch,
  } = useQuery({
    queryKey: queryKey(unit, "read-entity", id),
    queryFn: ({ signal }) => client.entities.read(id, { signal }),
    structuralSharing: false,
  });
  if (error && !entity) {
    return (
      <Page title="Protected item">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return entity ? <ShownEntity entity={entity} /> : <SkeletonRows />;
}

function ShownEntity({ entity }: { entity: Entity }) {
  const client = useClient();
  const units = useUnits();
  const change = useChange((body: { muted_until?: string | null; is_retired?: boolean }) =>
    client.entities.update(entity.id, body, { ifMatch: etagOf(entity) }),
  );
  const isMuted = entity.muted_until !== null;
  return (
    <Page
      title={entity.primary_entity.value}
      above={
        <p className="crumbs">
          <Link to="/entities">Protected items</Link> / <Untrusted text={entity.primary_entity.type} most={60} />
        </p>
      }
      actions={
        <>
          <ShowApiCall resource="entities" path={`/entities/${entity.id}`} />
          <GatedButton
            permission="entities:write"
            variant="default"
            onClick={() => change.mutate({ muted_until: isMuted ? null : new Date(Date.now() + week).toISOString() })}
          >
            {isMuted ? "Unmute" : "Mute"}
          </GatedButton>
          <GatedButton
            permission="entities:write"
            variant="default"
            onClick={() => change.mutate({ is_retired: !entity.is_retired })}
          >
            {entity.is_retired ? "Bring back" : "Retire"}
          </GatedButton>
        </>
      }
    >
      {change.error && <ErrorState error={change.error} />}
      <p className="task-line">
        <span className="task-state">
          <EntityState entity={entity} />
        </span>
        {isMuted && (
          <span className="soft">
            needs no attention until <TimeText at={entity.muted_until} isFull />
          </span>
        )}
      </p>
      <Panel
        title="Last runs"
        aside={
          <Link to="/tasks" search={{ item_id: entity.primary_entity.id }}>
            Show all tasks
          </Link>
        }
      >
        <OutcomeStrip runs={stripRuns(entity.recent_outcomes)} />
      </Panel>
      <Panel title="Facts">
        <dl className="facts">
          <dt>Last good backup</dt>
          <dd>
            <Evidence evidence={entity.last_good_backup} />
          </dd>
          <dt>Last incomplete backup</dt>
          <dd>
            <Evidence evidence={entity.last_incomplete_backup} />
          </dd>
          <dt>Last restore</dt>
          <dd>
            <Evidence evidence={entity.last_restore} />
          </dd>
          <dt>Last run</dt>
          <dd>
            <Evidence evidence={entity.last_run} />
          </dd>
          <dt>Expected</dt>
          <dd>
            {entity.expected_period_seconds === null
              ? "no period is known"
              : `every ${roughDuration(entity.expected_period_seconds * 1000)}`}
          </dd>
          <dt>Watched by</dt>
          <dd>
            {entity.monitor_ids.length === 0
              ? "no monitor: when the next backup is due is not checked"
              : counted(entity.monitor_ids.length, "monitor")}
          </dd>
          <dt>Unit</dt>
          <dd>
            <Untrusted text={nameOf(units, entity.organizational_unit_id)} />
          </dd>
          <dt>First seen</dt>
          <dd>
            <TimeText at={entity.first_seen_timestamp} isFull />
          </dd>
        </dl>
      </Panel>
    </Page>
  );
}
