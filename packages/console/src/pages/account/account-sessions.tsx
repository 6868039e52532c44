import type { OwnSession } from "@holdfast/api/session/session-paths";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Column, DataTable } from "../../components/data-table";
import { ConfirmDialog } from "../../components/dialogs";
import { SafeText } from "../../components/safe-text";
import { ErrorState, SkeletonRows } from "../../components/states";
import { TimeText } from "../../components/time-text";
import { useChange } from "../../data/change";
import { service, serviceUrl } from "../../data/service";
import { announceSignOut } from "../../data/session-gate";
import { visibleText } from "../../texts/foreign-text";

/** Where the person is signed in. */
export function AccountSessions() {
  const [isLeaving, setLeaving] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["own", "list-sessions"],
    queryFn: async ({ signal }) => (await service.session.list({ signal }))._embedded.items,
  });
  const end = useChange((id: string) => service.session.end(id));
  const leave = useChange(
    () => service.session.endAll(),
    () => {
      announceSignOut();
      location.replace(`${serviceUrl}/console/sign-in`);
    },
  );
  const columns: Column<OwnSession>[] = [
    {
      title: "Client",
      cell: ({ client }) => (
        <span className="clip" title={visibleText(client ?? "")}>
          <SafeText text={clientText(client)} />
        </span>
      ),
    },
    { title: "Address", width: "20%", cell: ({ address }) => address ?? "–" },
    {
      title: "Signed in",
      width: "140px",
      cardLabel: "Signed in",
      cell: ({ created_timestamp }) => <TimeText at={created_timestamp} />,
    },
    {
      title: "Last used",
      width: "140px",
      cardLabel: "Last used",
      cell: ({ last_used_timestamp }) => <TimeText at={last_used_timestamp} />,
    },
    {
      title: "Actions",
      width: "140px",
      isQuiet: true,
      cell: ({ id, is_current }) =>
        is_current ? (
          <span className="badge look-accent">This session</span>
        ) : (
          <Button
            variant="default"
            size="xs"
            loading={end.isPending && end.variables === id}
            onClick={() => end.mutate(id)}
          >
            Sign out
          </Button>
        ),
    },
  ];
  return (
    <div className="stack">
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {end.error && <ErrorState error={end.error} />}
      {!data && !error && <SkeletonRows count={3} />}
      {data && <DataTable name="Sessions" columns={columns} items={data} idOf={({ id }) => id} isBusy={isFetching} />}
      <div>
        <Button variant="default" className="danger" onClick={() => setLeaving(true)}>
          Sign out everywhere
        </Button>
      </div>
      <ConfirmDialog
        title="Sign out everywhere?"
        isOpen={isLeaving}
        onClose={() => setLeaving(false)}
        confirm="Sign out everywhere"
        isDangerous
        isBusy={leave.isPending}
        error={leave.error}
        onConfirm={() => leave.mutate(undefined)}
      >
        <p>All of your sessions end, this one included. Personal tokens stay good.</p>
      </ConfirmDialog>
    </div>
  );
}

/** Names of systems in user agents, and their names for people: an Android says Linux as well, an iPhone Mac OS X. */
const systems = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["CrOS", "ChromeOS"],
  ["Windows", "Windows"],
  ["Macintosh", "macOS"],
  ["Linux", "Linux"],
] as const;

/** The browser and the system, as far as the client says them. */
function clientText(client: string | null): string {
  if (client === null) return "unknown";
  const browser = /(Firefox|Edg|Chrome|Safari|curl)\/[\d.]+/.exec(client)?.[1];
  const system = systems.find(([mark]) => client.includes(mark))?.[1];
  return browser ? `${browser === "Edg" ? "Edge" : browser}${system ? ` on ${system}` : ""}` : client;
}
