import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ConfirmDialog } from "../../components/dialogs";
import { SafeText } from "../../components/safe-text";
import { ErrorState, SkeletonRows } from "../../components/states";
import { useChange } from "../../data/change";
import { queryKey } from "../../data/query-keys";
import { useClient, useUnit } from "../../data/unit";
import { counted } from "../../texts/numbers";
import { scheduleWords, zoneWords } from "../../texts/schedule-text";
import { ownZone } from "../../texts/times";

/** Number of suggestions that are shown, and created in one batch. */
const maxSuggestions = 100;

/** Suggests monitors for items that nobody watches, from the times of their last runs, and creates those that are checked. */
export function SuggestedMonitors({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const [unchecked, setUnchecked] = useState<ReadonlySet<string>>(new Set());
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const { data, error, refetch } = useQuery({
    queryKey: queryKey(useUnit(), "list-monitor-suggestions"),
    queryFn: ({ signal }) => client.monitors.suggestions({ timeZone: ownZone, limit: maxSuggestions, signal }).page(),
    // A list that changes while it is read would check and uncheck by itself.
    refetchOnWindowFocus: false,
  });
  const suggestions = data?.items ?? [];
  const keyOf = ({ entity_id, operation }: (typeof suggestions)[number]) => `${entity_id} ${operation}`;
  const checked = suggestions.filter((one) => !unchecked.has(keyOf(one)));
  const create = useChange(
    (_: undefined, idempotencyKey) =>
      client.monitors.createAll({ monitors: checked.map(({ monitor }) => monitor) }, { idempotencyKey }),
    ({ results }) => {
      const refused = results.flatMap(({ errors }, at) =>
        errors ? [`${checked[at]?.monitor.name}: ${errors.map(({ error_message }) => error_message).join(" ")}`] : [],
      );
      if (refused.length === 0) onClose();
      else setRefusals(refused);
    },
  );
  const toggle = (key: string) => {
    const next = new Set(unchecked);
    if (!next.delete(key)) next.add(key);
    setUnchecked(next);
  };
  return (
    <ConfirmDialog
      title="Create monitors"
      isOpen
      onClose={onClose}
      size="lg"
      confirm={`Create ${counted(checked.length, "monitor")}`}
      isBusy={create.isPending}
      isDisabled={checked.length === 0}
      error={create.error}
      onConfirm={() => create.mutate(undefined)}
    >
      {!data && !error && <SkeletonRows count={4} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {suggestions.length > 0 && (
        <p className="soft">
          These schedules come from the times of the last runs. None of those runs would have counted as missed.
        </p>
      )}
      <ul className="plain-list stack-small suggestions">
        {suggestions.map((one) => (
          <li key={keyOf(one)}>
            <Checkbox
              checked={!unchecked.has(keyOf(one))}
              onChange={() => toggle(keyOf(one))}
              label={<SafeText text={one.primary_entity.value} />}
              description={
                <>
                  <SafeText text={one.operation} maxLength={80} /> · {scheduleWords(one.monitor.schedule)}{" "}
                  {zoneWords(one.monitor.schedule)}
                  {one.confidence === "low" && " · the runs were few or irregular"}
                </>
              }
            />
          </li>
        ))}
      </ul>
      {data && (
        <p className="soft">
          {suggestions.length === 0 && "No schedule can be suggested yet. "}
          An item that has run fewer than five times is not in this list:{" "}
          <Link to="/entities" search={{ state: "unwatched" }} onClick={onClose}>
            open it
          </Link>{" "}
          and choose Create monitor.
        </p>
      )}
      {refusals.length > 0 && (
        <div role="alert" className="notice look-error">
          {refusals.map((refusal) => (
            <p key={refusal}>
              <SafeText text={refusal} />
            </p>
          ))}
        </div>
      )}
    </ConfirmDialog>
  );
}
