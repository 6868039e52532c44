import type { ItemOf } from "@holdfast/client";
import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { type Column, DataTable } from "../../components/data-table";
import { ConfirmDialog } from "../../components/dialogs";
import { Page } from "../../components/page";
import { PermissionButton } from "../../components/permission-button";
import { RowMenu } from "../../components/row-menu";
import { ErrorState, SkeletonRows } from "../../components/states";
import { TimeText } from "../../components/time-text";
import { useChange } from "../../data/change";
import { queryKey } from "../../data/query-keys";
import { useMay } from "../../data/rights";
import { useClient, useUnit } from "../../data/unit";

type Key = ItemOf<"keys", "read-key">;

export function KeysPage() {
  const client = useClient();
  const unit = useUnit();
  const mayWrite = useMay("keys:write");
  const [isRotating, setRotating] = useState(false);
  const [retiring, setRetiring] = useState<Key>();
  const {
    data: page,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: queryKey(unit, "list-keys"),
    queryFn: ({ signal }) => client.keys.list({ signal }).page(),
  });
  const rotate = useChange(
    (_: undefined, idempotencyKey) => client.keys.rotate({ idempotencyKey }),
    () => setRotating(false),
  );
  const columns: Column<Key>[] = [
    { title: "Key", className: "mono", cell: ({ id }) => <span className="clip">{id}</span> },
    {
      title: "State",
      width: "150px",
      cell: ({ is_signing }) =>
        is_signing ? (
          <span className="badge look-good">Signs</span>
        ) : (
          <span className="badge look-neutral">Checks only</span>
        ),
    },
    {
      title: "Made",
      width: "180px",
      cardLabel: "Made",
      cell: ({ created_timestamp }) => <TimeText at={created_timestamp} />,
    },
    {
      title: "Replaced",
      width: "160px",
      cardLabel: "Replaced",
      isBlank: ({ replaced_timestamp }) => replaced_timestamp === null,
      cell: ({ replaced_timestamp }) => <TimeText at={replaced_timestamp} />,
    },
    {
      title: "Needed until",
      width: "180px",
      cardLabel: "Needed until",
      cell: ({ expires_timestamp, is_signing }) =>
        is_signing ? "it is replaced" : <TimeText at={expires_timestamp} />,
    },
    {
      title: "Actions",
      width: "64px",
      isQuiet: true,
      className: "card-corner",
      cell: (key) => (
        <RowMenu
          of={key.id}
          actions={[
            {
              name: "Retire key",
              isDangerous: true,
              reason: !mayWrite ? "Needs keys:write." : key.is_signing ? "It signs. Rotate first." : undefined,
              act: () => setRetiring(key),
            },
          ]}
        />
      ),
    },
  ];
  return (
    <Page
      title="Signing keys"
      actions={
        <>
          <ShowApiCall resource="keys" path="/keys" />
          <PermissionButton permission="keys:write" onClick={() => setRotating(true)}>
            Rotate key
          </PermissionButton>
        </>
      }
    >
      <p className="soft">
        Every API token is signed with one of these keys. The private halves never leave the service; the public ones
        are at <code className="nowrap">/.well-known/jwks.json</code>.
      </p>
      {error && !page ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!page && !error && <SkeletonRows count={3} />}
      {page && <DataTable name="Keys" columns={columns} items={page.items} idOf={({ id }) => id} isBusy={isFetching} />}
      <ConfirmDialog
        title="Rotate the key?"
        isOpen={isRotating}
        onClose={() => setRotating(false)}
        confirm="Rotate key"
        isBusy={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate(undefined)}
      >
        <p>
          New tokens are signed with a new key from now on. Nothing breaks: tokens that exist stay good, and their key
          stays until the last of them has expired.
        </p>
      </ConfirmDialog>
      {retiring && <RetireKey signingKey={retiring} onClose={() => setRetiring(undefined)} />}
    </Page>
  );
}

function RetireKey({ signingKey, onClose }: { signingKey: Key; onClose: () => void }) {
  const client = useClient();
  const [typed, setTyped] = useState("");
  const retire = useChange(() => client.keys.retire(signingKey.id), onClose);
  return (
    <ConfirmDialog
      title="Retire this key?"
      isOpen
      onClose={onClose}
      confirm="Retire key"
      isDangerous
      isBusy={retire.isPending}
      isDisabled={typed !== signingKey.id}
      error={retire.error}
      onConfirm={() => retire.mutate(undefined)}
    >
      <p>
        Every token that it signed is refused at once, and whatever uses one stops working. Without that, it leaves by
        itself when the last of them has expired.
      </p>
      <p>
        Its id is <code>{signingKey.id}</code>.
      </p>
      <TextInput
        label="Type the id of the key to confirm"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
