import { Button, Switch, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { ConfirmDialog, OnceDialog } from "../../components/dialogs";
import { EditConflict } from "../../components/edit-conflict";
import { LastChange } from "../../components/last-change";
import { LeaveGuard } from "../../components/leave-guard";
import { showNotice } from "../../components/notices";
import { Page } from "../../components/page";
import { Panel } from "../../components/panel";
import { PermissionButton } from "../../components/permission-button";
import { ReadPage } from "../../components/read-page";
import { SafeText } from "../../components/safe-text";
import { SaveButtons } from "../../components/save-buttons";
import { TimeText } from "../../components/time-text";
import { useApiForm } from "../../data/api-form";
import { useChange } from "../../data/change";
import { useConflictSafeSave } from "../../data/conflict-safe-save";
import { nameOf, pathText, useRoles, useUnits } from "../../data/names";
import { configurationOf, draftOf, stateOf, type User, type UserDraft } from "../../data/people";
import { queryKey } from "../../data/query-keys";
import { useMay } from "../../data/rights";
import { useClient, useUnit } from "../../data/unit";
import { visibleText } from "../../texts/foreign-text";
import { counted } from "../../texts/numbers";
import { GrantRows } from "./grant-rows";

const labels = { full_name: "Full name", is_enabled: "Enabled", access_control_configuration: "Roles held" };

export function UserPage() {
  const client = useClient();
  return (
    <ReadPage title="User" operation="read-user" read={(id, options) => client.users.read(id, options)}>
      {(user) => <ShownUser user={user} key={user.id} />}
    </ReadPage>
  );
}

function ShownUser({ user }: { user: User }) {
  const client = useClient();
  const mayWrite = useMay("users:write");
  const [base, setBase] = useState(user);
  const [link, setLink] = useState<string>();
  const [isDeleting, setDeleting] = useState(false);
  const { word, look } = stateOf(user);
  const take = (next: User) => {
    setBase(next);
    form.restart(draftOf(next));
  };
  const saving = useConflictSafeSave({
    send: ({ access_control_configuration: grants, ...others }: UserDraft, ifMatch) => {
      const body = { ...others, access_control_configuration: configurationOf(grants) };
      return client.users.update(user.id, body, { ifMatch });
    },
    read: () => client.users.read(user.id),
    onSaved: (saved: User) => {
      take(saved);
      showNotice("Saved.");
    },
  });
  const form = useApiForm({ values: draftOf(user), labels, error: saving.error });
  const { is_enabled, access_control_configuration: grants } = form.values;
  const tokens = useTokensText(user.id, base.is_enabled && !is_enabled);
  const roles = useRoles();
  const units = useUnits(grants.map(({ unitId }) => unitId));
  const factsOf = (draft: UserDraft) => ({
    "Full name": draft.full_name,
    Enabled: draft.is_enabled ? "yes" : "no",
    Roles: draft.access_control_configuration
      .map(({ roleId, unitId }) => `${nameOf(roles, roleId)} in ${pathText(units, unitId)}`)
      .join("\n"),
  });
  const invite = useChange(
    (_: undefined, idempotencyKey) => client.users.invite(user.id, { idempotencyKey }),
    ({ invitation_link }) => setLink(invitation_link ?? ""),
  );
  return (
    <Page
      title={user.full_name}
      above={
        <p className="crumbs">
          <Link to="/administration/users">Users</Link>
        </p>
      }
      actions={
        <>
          <ShowApiCall resource="users" version={2} path={`/users/${user.id}`} />
          {!user.is_confirmed && (
            <PermissionButton
              permission="users:write"
              variant="default"
              loading={invite.isPending}
              onClick={() => invite.mutate(undefined)}
            >
              New invitation
            </PermissionButton>
          )}
        </>
      }
    >
      <p className="soft">
        <SafeText text={user.email} /> · <span className={`badge look-${look}`}>{word}</span> · last active{" "}
        <TimeText at={user.last_activity_timestamp} />
      </p>
      <LastChange kind="user" id={user.id} />
      <Panel title="Profile and access">
        <form className="stack form-narrow" onSubmit={form.send((draft) => saving.save(draft, base))}>
          <TextInput {...form.field("full_name")} required maxLength={200} readOnly={!mayWrite} />
          <Switch
            {...form.box("is_enabled")}
            description={
              is_enabled
                ? "This person can sign in, and their tokens work."
                : `This person cannot sign in; sessions and ${tokens} stop at once.`
            }
            disabled={!mayWrite}
          />
          <GrantRows
            grants={grants}
            isReadOnly={!mayWrite}
            error={form.errors.access_control_configuration}
            onChange={(next) => form.setField("access_control_configuration", next)}
          />
          {mayWrite && <SaveButtons form={form} isBusy={saving.isPending} />}
        </form>
      </Panel>
      {mayWrite && (
        <Panel title="Delete">
          <div className="spread">
            <p className="soft">Takes away the person's access, sessions and personal tokens for good.</p>
            <Button variant="default" className="danger" onClick={() => setDeleting(true)}>
              Delete user
            </Button>
          </div>
        </Panel>
      )}
      {isDeleting && <DeleteUser user={user} onClose={() => setDeleting(false)} />}
      <LeaveGuard isDirty={form.isDirty && !isDeleting} />
      <EditConflict
        what="user"
        saving={saving}
        factsOf={(theirs) => factsOf(draftOf(theirs))}
        mine={factsOf}
        onTake={take}
      />
      {link !== undefined && (
        <OnceDialog
          title="Invitation created"
          label="Invitation link"
          value={link}
          copyButton="Copy link"
          stored="I have passed this link on"
          onDone={() => setLink(undefined)}
        />
      )}
    </Page>
  );
}

/** Number of personal tokens of a person, if the caller may know it. */
function useTokensText(userId: string, isWanted: boolean): string {
  const client = useClient();
  const unit = useUnit();
  const mayRead = useMay("api-tokens:read");
  const { data } = useQuery({
    queryKey: queryKey(unit, "list-api-tokens", { of: userId }),
    queryFn: ({ signal }) => {
      const expires_timestamp = { $gt: new Date(Math.floor(Date.now() / 60_000) * 60_000) };
      const filter = { user_id: userId, is_revoked: false, expires_timestamp };
      return client.apiTokens.list({ filter, limit: 1, signal }).page();
    },
    enabled: isWanted && mayRead,
  });
  return data === undefined ? "personal tokens" : counted(data.total_count, "personal token");
}

function DeleteUser({ user, onClose }: { user: User; onClose: () => void }) {
  const client = useClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const remove = useChange(
    () => client.users.delete(user.id),
    () => {
      showNotice(`${user.full_name} was deleted.`);
      void navigate({ to: "/administration/users" });
    },
  );
  return (
    <ConfirmDialog
      title="Delete this user?"
      isOpen
      onClose={onClose}
      confirm="Delete user"
      isDangerous
      isBusy={remove.isPending}
      isDisabled={typed !== user.email}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined)}
    >
      <p>This cannot be undone. What the person did stays in the audit trail.</p>
      <TextInput
        label={`Type ${visibleText(user.email)} to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
