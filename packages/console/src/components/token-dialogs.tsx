import { NativeSelect, Radio, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApiForm } from "../data/api-form";
import { useChange } from "../data/change";
import { useConflictSafeSave } from "../data/conflict-safe-save";
import { useRoles } from "../data/names";
import { publicUrl } from "../data/page-facts";
import { queryKey } from "../data/query-keys";
import { useMay } from "../data/rights";
import type { ApiToken } from "../data/tokens";
import { useClient, useUnitId } from "../data/unit";
import { dayText, ownZone } from "../texts/times";
import { ConfirmDialog, OnceDialog } from "./dialogs";
import { EditConflict } from "./edit-conflict";
import { RoleSelect } from "./role-select";
import { SafeText } from "./safe-text";
import { Snippets } from "./snippets";
import { TimeText } from "./time-text";
import { UnitSelect } from "./unit-select";

const day = 86_400_000;
const lives = [7, 30, 90, 365, 730];

const tokenLabels = {
  kind: "Kind",
  name: "Name",
  organizational_unit_id: "Organizational unit",
  role_id: "Role",
  expires_timestamp: "Expires",
};

/** Makes a token. It lives in the state of this dialog alone, and is gone with it. */
export function CreateToken({ kinds, onClose }: { kinds: readonly ("personal" | "service")[]; onClose: () => void }) {
  const client = useClient();
  const here = useUnitId() ?? "";
  const roles = useRoles();
  const mayMakeServices = useMay("api-tokens:write");
  const [days, setDays] = useState("90");
  const [token, setToken] = useState<string>();
  const until = Date.now() + Number(days) * day;
  const values = { kind: kinds[0] ?? "personal", name: "", organizational_unit_id: here, role_id: "" };
  const create = useChange(
    ({ role_id, ...body }: typeof values, idempotencyKey) =>
      client.apiTokens.create(
        {
          ...body,
          ...(body.kind === "service" ? { role_id } : {}),
          expires_timestamp: new Date(until).toISOString(),
        },
        { idempotencyKey },
      ),
    (made) => setToken(made.token ?? ""),
  );
  const form = useApiForm({
    values,
    labels: tokenLabels,
    error: create.error,
    validate: {
      role_id: (id, { kind }) => (kind === "service" && id === "" ? "Choose what the token may do." : null),
    },
  });
  if (token !== undefined) return <TokenCreated token={token} onDone={onClose} />;
  const { kind, role_id } = form.values;
  const chosen = roles.find(({ id }) => id === role_id);
  return (
    <ConfirmDialog
      title="Create token"
      isOpen
      onClose={onClose}
      isDirty={form.isDirty}
      confirm="Create token"
      isBusy={create.isPending}
      error={form.rest}
      onConfirm={form.send(create.mutate)}
    >
      {kinds.length > 1 && (
        <Radio.Group {...form.field("kind")}>
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
      <TextInput {...form.field("name")} required maxLength={200} data-autofocus />
      <UnitSelect {...form.field("organizational_unit_id")} />
      {kind === "service" && (
        <RoleSelect
          {...form.field("role_id")}
          description={chosen ? `May: ${chosen.permissions.join(", ")}` : "What it may do."}
        />
      )}
      <NativeSelect
        label={tokenLabels.expires_timestamp}
        error={form.errors.expires_timestamp}
        description={`On ${dayText(until, ownZone)}.`}
        value={days}
        data={lives.map((life) => ({
          value: String(life),
          label: life < 365 ? `${life} days` : life === 365 ? "1 year" : "2 years",
        }))}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
    </ConfirmDialog>
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
  const { data: opened = token } = useQuery({
    queryKey: queryKey(token.id, "read-api-token"),
    queryFn: ({ signal }) => client.apiTokens.read(token.id, { signal }),
    // The ETag belongs to the very answer, and to the moment at which the dialog was opened.
    structuralSharing: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  const saving = useConflictSafeSave({
    send: (mine: { name: string }, ifMatch) => client.apiTokens.update(token.id, mine, { ifMatch }),
    read: () => client.apiTokens.read(token.id),
    onSaved: onClose,
  });
  const form = useApiForm({ values: { name: token.name }, labels: tokenLabels, error: saving.error });
  if (saving.conflict) {
    const factsOf = ({ name }: { name: string }) => ({ Name: name });
    return <EditConflict what="token" saving={saving} factsOf={factsOf} mine={factsOf} onTake={onClose} />;
  }
  return (
    <ConfirmDialog
      title="Rename token"
      isOpen
      isDirty={form.isDirty}
      onClose={onClose}
      confirm="Rename token"
      isBusy={saving.isPending}
      isDisabled={form.values.name.trim() === "" || !form.isDirty}
      error={form.rest}
      onConfirm={form.send((mine) => saving.save(mine, opened))}
    >
      <TextInput {...form.field("name")} data-autofocus maxLength={200} />
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
          <SafeText text={token.name} />
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
          <SafeText text={token.name} />
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
