import { type Column, DataTable } from "../../components/data-table";
import { OutcomeStrip } from "../../components/outcome-strip";
import { Panel } from "../../components/panel";
import { PermissionButton } from "../../components/permission-button";
import { SafeText } from "../../components/safe-text";
import { StatusMark } from "../../components/status-mark";
import { type Entity, stripRuns } from "../../data/protection";
import { entityLooks, lookOf } from "../../texts/state-words";
import { Evidence } from "./evidence";

type Operation = Entity["operations"][number];

export interface OperationsPanelProps {
  operations: readonly Operation[];
  isBusy: boolean;
  /** Retires an operation, or ends that. */
  onRetire: (operation: string, isRetired: boolean) => void;
}

/** The recurring pieces of work that back up an item, each with how it stands. */
export function OperationsPanel({ operations, isBusy, onRetire }: OperationsPanelProps) {
  if (operations.length === 0) return null;
  const columns: Column<Operation>[] = [
    {
      title: "State",
      width: "128px",
      cell: ({ is_retired, state }) =>
        is_retired ? <StatusMark mark="cancelled" word="Retired" /> : <StatusMark {...lookOf(entityLooks, state)} />,
    },
    { title: "Operation", className: "strong", cell: ({ operation }) => <SafeText text={operation} /> },
    {
      title: "Last good backup",
      width: "142px",
      cardLabel: "Last good backup",
      cell: ({ last_good_backup }) => <Evidence evidence={last_good_backup} />,
    },
    {
      title: "Last run",
      width: "142px",
      cardLabel: "Last run",
      cell: ({ last_run }) => <Evidence evidence={last_run} saysOutcome />,
    },
    {
      title: "Runs",
      width: "140px",
      cell: ({ recent_outcomes }) => <OutcomeStrip runs={stripRuns(recent_outcomes.slice(-12))} />,
    },
    {
      title: "Change",
      width: "120px",
      isQuiet: true,
      cell: ({ operation, is_retired }) => (
        <PermissionButton
          permission="entities:write"
          variant="default"
          size="xs"
          loading={isBusy}
          onClick={() => onRetire(operation, !is_retired)}
        >
          {is_retired ? "Bring back" : "Retire"}
          <span className="visually-hidden">
            {" "}
            <SafeText text={operation} />
          </span>
        </PermissionButton>
      ),
    },
  ];
  return (
    <Panel title="Operations">
      <DataTable name="Operations" columns={columns} items={operations} idOf={({ operation }) => operation} />
    </Panel>
  );
}
