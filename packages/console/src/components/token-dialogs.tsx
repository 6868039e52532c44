import { Button, NativeSelect, Radio, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useChange } from "../data/change";
import { useRoles } from "../data/names";
import { publicUrl } from "../data/page-facts";
import { queryKey } from "../data/query-keys";
import { useMay } from "../data/rights";
import { useSaving } from "../data/saving";
import type { ApiToken } from "../data/tokens";
import { useClient, useUnitId } from "../data/unit";
import { dayText, ownZone } from "../texts/times";
import { ChangedMeanwhile } from "./changed-meanwhile";
import { ConfirmDialog, Dialog, OnceDialog } from "./dialogs";
import { RoleSelect } from "./role-select";
import { Snippets } from "./snippets";
import { ErrorState } from "./states";
import { TimeText } from "./time-text";
import { UnitSelect } from "./unit-select";
import { Untrusted } from "./untrusted";

const day = 86_400_000;
const lives = [7, 30, 90, 365, 730];

/** Makes a token. It lives in the state of this dialog alone, and is gone with it. */
export function CreateToken({ kinds, onClose }: { kinds: readonly ("personal" | "service")[]; onClose: () => void }) {
  const client = useClient();
  const here = useUnitId() ?? "";
  const roles = useRoles();
  const mayMakeServices = useMay("api-tokens:write");
  const [kind, setKind] = useState(kinds[0] ?? "personal");
  const [name, setName] = useState("");
  const [unitId, setUnitId] = useState(here);
  const [roleId, setRoleId] = useState("");
  const [days, setDays] = useState(90);
  const [isTried, setTried] = useState(false);
  const [token, setToken] = useState<string>();
  const lacksRole = kind === "service" && roleId === "";
  const until = Date.now() + days * day;
  const create = useChange(
    (_: undefined, idempotencyKey) => {
      const role = kind === "service" ? { role_id: roleId } : {};
      const body = { name: name.trim(), kind, organizational_unit_id: unitId, ...role };
      return client.apiTokens.create({ ...body, expires_timestamp: new Date(until).toISOString() }, { idempotencyKey });
    },
    (made) => setToken(made.token ?? ""),
  );
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!lacksRole) create.mutate(undefined);
  };
  if (token !== undefined) return <TokenCreated token={token} onDone={onClose} />;
  const chosen = roles.find(({ id }) => id === roleId);
  return (
    <Dialog title="Create token" isOpen onClose={onClose} isDirty={name !== ""}>
      <form className="stack" onSubmit={send}>
        {kinds.length > 1 && (
          <Radio.Group
            label="Kind"
            value={kind}
            onChange={(value) => setKind(value === "service" ? "service" : "personal")}
          >
            <div className="row radio-row">
              <Radio value="personal" label="Personal" description="Acts as you." />
              <Radio
                value="service"
                label="Service"
                disabled={!mayMakeServices}
                description={mayMakeServices ? "Has a role of its own." : "Needs the permission api-tokens:write."}
              />
            </div>
          </Radio.Group>
        )}
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          maxLength={200}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <UnitSelect label="Organizational unit" value={unitId} onChange={setUnitId} />
        {kind === "service" && (
          <RoleSelect
            label="Role"
            value={roleId}
            onChange={setRoleId}
            description={chosen ? `May: ${chosen.permissions.join(", ")}` : "What it may do."}
            error={isTried && lacksRole ? "Choose what the token may do." : undefined}
          />
        )}
        <NativeSelect
          label="Expires"
          description={`On ${dayText(until, ownZone)}.`}
          value={String(days)}
          data={lives.map((life) => ({
            value: String(life),
            label: life < 365 ? `${life} days` : life === 365 ? "1 year" : "2 years",
          }))}
          onChange={(event) => setDays(Number(event.currentTarget.value))}
        />
        {create.error && <ErrorState error={create.error} />}
        <div className="row-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create token
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function TokenCreated({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <OnceDialog
      title="Token created"
      label="Token"
      value={token}
      copyButton="Copy token"
      stored="I have stored this token"
      onDone={onDone}
    >
      <Snippets
        texts={{
          curl: `export HOLDFAST_TOKEN=…\ncurl ${publicUrl}/tasks -H "Authorization: Bearer $HOLDFAST_TOKEN"`,
          TypeScript: `import { connect } from "@holdfast/client";\n\nconst holdfast = connect({ token: process.env.HOLDFAST_TOKEN });`,
          "holdfast run": "export HOLDFAST_TOKEN=…\nholdfast run -- restic backup /srv",
        }}
      />
    </OnceDialog>
  );
}

interface TokenDialogProps {
  token: ApiToken;
  onClose: () => void;
}

export function RenameToken({ token, onClose }: TokenDialogProps) {
  const client = useClient();
  const [name, setName] = useState(token.name);
  const { data: opened = token } = useQuery({
    queryKey: queryKey(token.id, "read-api-token"),
    queryFn: ({ signal }) => client.apiTokens.read(token.id, { signal }),
    // The ETag belongs to the very answer, and to the moment at which the dialog was opened.
    structuralSharing: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  const rename = useSaving({
    send: (mine: string, ifMatch) => client.apiTokens.update(token.id, { name: mine }, { ifMatch }),
    read: () => client.apiTokens.read(token.id),
    onSaved: onClose,
  });
  const { conflict } = rename;
  if (conflict) {
    return (
      <ChangedMeanwhile
        what="token"
        theirs={{ Name: conflict.theirs.name }}
        mine={{ Name: conflict.mine }}
        isBusy={rename.isPending}
        onTake={onClose}
        onSave={() => rename.save(conflict.mine, conflict.theirs)}
        onClose={rename.forget}
      />
    );
  }
  return (
    <ConfirmDialog
      title="Rename token"
      isOpen
      isDirty={name !== token.name}
      onClose={onClose}
      confirm="Rename token"
      isBusy={rename.isPending}
      isDisabled={name.trim() === "" || name.trim() === token.name}
      error={rename.error}
      onConfirm={() => rename.save(name.trim(), opened)}
    >
      <TextInput
        label="Name"
        data-autofocus
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

const overlaps = [
  { value: "0", label: "None: the old one ends at once" },
  { value: "3600", label: "1 hour" },
  { value: "86400", label: "1 day" },
  { value: "604800", label: "7 days" },
];

export function RotateToken({ token, onClose }: TokenDialogProps) {
  const client = useClient();
  const [overlap, setOverlap] = useState("86400");
  const [made, setMade] = useState<string>();
  const rotate = useChange(
    (_: undefined, idempotencyKey) =>
      client.apiTokens.rotate(token.id, { overlap_seconds: Number(overlap) }, { idempotencyKey }),
    (next) => setMade(next.token ?? ""),
  );
  if (made !== undefined) return <TokenCreated token={made} onDone={onClose} />;
  return (
    <ConfirmDialog
      title="Rotate this token?"
      isOpen
      onClose={onClose}
      confirm="Rotate token"
      isBusy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate(undefined)}
    >
      <p>
        A new token takes the place of{" "}
        <strong>
          <Untrusted text={token.name} />
        </strong>
        . Put it where the old one is used while both are good.
      </p>
      <NativeSelect
        label="Overlap"
        value={overlap}
        data={overlaps}
        onChange={(event) => setOverlap(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

export function RevokeToken({ token, onClose }: TokenDialogProps) {
  const client = useClient();
  const revoke = useChange(() => client.apiTokens.revoke(token.id), onClose);
  return (
    <ConfirmDialog
      title="Revoke token"
      isOpen
      onClose={onClose}
      confirm="Revoke token"
      isDangerous
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(undefined)}
    >
      <p>
        <strong>
          <Untrusted text={token.name} />
        </strong>{" "}
        is refused from now on. This cannot be undone.
      </p>
      {token.last_used_timestamp === null ? (
        <p className="soft">It was never used.</p>
      ) : (
        <p>
          It was last used <TimeText at={token.last_used_timestamp} />
          {token.last_used_address && ` from ${token.last_used_address}`}: whatever uses it there stops working.
        </p>
      )}
    </ConfirmDialog>
  );
}
