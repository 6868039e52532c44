import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ShowApiCall } from "../../components/api-call";
import { EditConflict } from "../../components/edit-conflict";
import { Facts } from "../../components/facts";
import { OutcomeStrip } from "../../components/outcome-strip";
import { Page } from "../../components/page";
import { Panel } from "../../components/panel";
import { PermissionButton } from "../../components/permission-button";
import { RunTable } from "../../components/run-table";
import { SafeText } from "../../components/safe-text";
import { ErrorState, SkeletonRows } from "../../components/states";
import { TimeText, useZone, wholeTime } from "../../components/time-text";
import { useConflictSafeSave } from "../../data/conflict-safe-save";
import { usePollInterval } from "../../data/idle-tracker";
import { unitName, useUnits } from "../../data/names";
import { backupsOf, type Entity } from "../../data/protection";
import { queryKey } from "../../data/query-keys";
import { stripOfTasks } from "../../data/strip-of-tasks";
import { useClient, useUnit } from "../../data/unit";
import { everyText } from "../../texts/durations";
import { EntityState } from "./entities-page";
import { Evidence, StateReason, useRunsOf } from "./evidence";
import { OperationsPanel } from "./operations-panel";
import { Watchers } from "./watchers";

/** Change that a person can make to an item. */
interface EntityChange {
  muted_until?: string | null;
  is_retired?: boolean;
  operations?: { operation: string; is_retired: boolean }[];
}

function factsOf({ muted_until, is_retired }: Required<Omit<EntityChange, "operations">>, zone: string) {
  const until = muted_until === null ? "not muted" : wholeTime(Date.parse(muted_until), zone);
  return { "Muted until": until, Retired: is_retired ? "yes" : "no" };
}

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
    refetchInterval: usePollInterval(30_000),
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
  const units = useUnits([entity.organizational_unit_id]);
  const saving = useConflictSafeSave({
    send: (body: EntityChange, ifMatch) => client.entities.update(entity.id, body, { ifMatch }),
    read: () => client.entities.read(entity.id),
    key: queryKey(useUnit(), "read-entity", entity.id),
  });
  const zone = useZone();
  const { runs, isFetching } = useRunsOf(entity);
  const isMuted = entity.muted_until !== null;
  return (
    <Page
      title={entity.primary_entity.value}
      above={
        <p className="crumbs">
          <Link to="/entities">Protected items</Link> / <SafeText text={entity.primary_entity.type} maxLength={60} />
        </p>
      }
      actions={
        <>
          <ShowApiCall resource="entities" path={`/entities/${entity.id}`} />
          <PermissionButton
            permission="entities:write"
            variant="default"
            loading={saving.isPending}
            onClick={() =>
              saving.save({ muted_until: isMuted ? null : new Date(Date.now() + week).toISOString() }, entity)
            }
          >
            {isMuted ? "Unmute" : "Mute"}
          </PermissionButton>
          <PermissionButton
            permission="entities:write"
            variant="default"
            loading={saving.isPending}
            onClick={() => saving.save({ is_retired: !entity.is_retired }, entity)}
          >
            {entity.is_retired ? "Bring back" : "Retire"}
          </PermissionButton>
        </>
      }
    >
      {saving.error && <ErrorState error={saving.error} />}
      <EditConflict
        what="item"
        saving={saving}
        factsOf={(theirs) => factsOf(theirs, zone)}
        mine={(wish, theirs) => factsOf({ ...theirs, ...wish }, zone)}
      />
      <p className="task-line">
        <span className="task-state">
          <EntityState entity={entity} />
        </span>
        {!isMuted && !entity.is_retired && <StateReason entity={entity} />}
        {isMuted && (
          <span className="soft">
            needs no attention until <TimeText at={entity.muted_until} isFull />
          </span>
        )}
      </p>
      <Panel title="Facts">
        <Facts
          facts={{
            "Last good backup": <Evidence evidence={entity.last_good_backup} isFull />,
            "Last incomplete backup": <Evidence evidence={entity.last_incomplete_backup} isFull />,
            "Last restore": <Evidence evidence={entity.last_restore} saysOutcome isFull />,
            "Last run": <Evidence evidence={entity.last_run} saysOutcome isFull />,
            Expected: entity.expected_period_seconds === null ? "not known" : everyText(entity.expected_period_seconds),
            "Watched by": <Watchers entity={entity} />,
            Unit: <SafeText text={unitName(units, entity.organizational_unit_id)} />,
            "First seen": <TimeText at={entity.first_seen_timestamp} isFull />,
          }}
        />
      </Panel>
      <OperationsPanel
        operations={entity.operations}
        isBusy={saving.isPending}
        onRetire={(operation, is_retired) => saving.save({ operations: [{ operation, is_retired }] }, entity)}
      />
      <Panel
        title="Last runs"
        aside={
          <Link to="/tasks" search={{ item_id: entity.primary_entity.id }}>
            Show all tasks
          </Link>
        }
      >
        {entity.recent_outcomes.length === 0 && <p className="soft">No run has ended yet.</p>}
        {entity.recent_outcomes.length > 0 && entity.operations.length === 1 && (
          <OutcomeStrip runs={runs ? stripOfTasks(runs) : backupsOf(entity)} isSummed />
        )}
        {runs && runs.length > 0 && <RunTable runs={runs} isBusy={isFetching} hasTypes />}
      </Panel>
    </Page>
  );
}
