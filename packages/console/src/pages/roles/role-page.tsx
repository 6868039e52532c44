import { Button, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { ChangedMeanwhile } from "../../components/changed-meanwhile";
import { ConfirmDialog } from "../../components/dialogs";
import { LastChange } from "../../components/last-change";
import { LeaveGuard } from "../../components/leave-guard";
import { showNotice } from "../../components/notices";
import { Page } from "../../components/page";
import { Panel } from "../../components/panel";
import { ReadPage } from "../../components/read-page";
import { ErrorState } from "../../components/states";
import { Untrusted } from "../../components/untrusted";
import { useChange } from "../../data/change";
import type { Role } from "../../data/names";
import { queryKey } from "../../data/query-keys";
import { offers, useDiscovery, useMay } from "../../data/rights";
import { useSaving } from "../../data/saving";
import { useClient, useUnit } from "../../data/unit";
import { counted } from "../../texts/numbers";
import { PermissionBoxes } from "./permission-boxes";

/** Editable fields of a role. */
interface RoleDraft {
  name: string;
  description: string;
  permissions: readonly string[];
}

function draftOf({ name, description, permissions }: Role): RoleDraft {
  return { name, description, permissions };
}

function factsOf({ name, description, permissions }: RoleDraft) {
  return { Name: name, "What it is for": description, Permissions: permissions.toSorted().join("\n") };
}

export function RolePage() {
  const client = useClient();
  return (
    <ReadPage title="Role" operation="read-role" read={(id, options) => client.roles.read(id, options)}>
      {(role) => <ShownRole role={role} key={role.id} />}
    </ReadPage>
  );
}

function ShownRole({ role }: { role: Role }) {
  const client = useClient();
  const navigate = useNavigate();
  const mayWrite = useMay("roles:write") && !role.is_default;
  const [base, setBase] = useState(role);
  const [draft, setDraft] = useState(draftOf(role));
  const { name, description, permissions } = draft;
  const [isDeleting, setDeleting] = useState(false);
  const take = (next: Role) => {
    setBase(next);
    setDraft(draftOf(next));
  };
  const saving = useSaving({
    send: (mine: RoleDraft, ifMatch) =>
      client.roles.update(
        role.id,
        { ...mine, name: mine.name.trim(), permissions: [...mine.permissions] },
        { ifMatch },
      ),
    read: () => client.roles.read(role.id),
    onSaved: (saved: Role) => {
      take(saved);
      showNotice("Saved.");
    },
  });
  const { conflict } = saving;
  const remove = useChange(
    () => client.roles.delete(role.id),
    () => void navigate({ to: "/administration/roles" }),
  );
  const isDirty = JSON.stringify(factsOf(draft)) !== JSON.stringify(factsOf(draftOf(base)));
  return (
    <Page
      title={role.name}
      above={
        <p className="crumbs">
          <Link to="/administration/roles">Roles</Link>
        </p>
      }
      actions={<ShowApiCall resource="roles" path={`/roles/${role.id}`} />}
    >
      {role.is_default && (
        <p className="notice notice-neutral">
          Every Holdfast has this role. It cannot be changed: make one of your own instead.
        </p>
      )}
      <LastChange kind="role" id={role.id} />
      <Panel title="What it allows">
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            saving.save(draft, base);
          }}
        >
          {mayWrite ? (
            <div className="stack form-narrow">
              <TextInput
                label="Name"
                required
                withAsterisk={false}
                value={name}
                onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
              />
              <Textarea
                label="What it is for"
                rows={2}
                value={description}
                onChange={(event) => setDraft({ ...draft, description: event.currentTarget.value })}
              />
            </div>
          ) : (
            <p>
              <Untrusted text={role.description} />
            </p>
          )}
          <PermissionBoxes
            chosen={permissions}
            isReadOnly={!mayWrite}
            onChange={(chosen) => setDraft({ ...draft, permissions: chosen })}
          />
          {saving.error && <ErrorState error={saving.error} />}
          {mayWrite && (
            <div className="spread">
              <Button type="submit" loading={saving.isPending} disabled={!isDirty}>
                Save changes
              </Button>
              <Button variant="default" className="danger" onClick={() => setDeleting(true)}>
                Delete role
              </Button>
            </div>
          )}
        </form>
      </Panel>
      <Holders role={role} />
      <LeaveGuard isDirty={isDirty && !isDeleting} />
      {conflict && (
        <ChangedMeanwhile
          what="role"
          theirs={factsOf(draftOf(conflict.theirs))}
          mine={factsOf(conflict.mine)}
          isBusy={saving.isPending}
          onTake={() => {
            take(conflict.theirs);
            saving.forget();
          }}
          onSave={() => saving.save(conflict.mine, conflict.theirs)}
          onClose={saving.forget}
        />
      )}
      <ConfirmDialog
        title="Delete this role?"
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        confirm="Delete role"
        isDangerous
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined)}
      >
        <p>A role can be deleted once no user and no token holds it.</p>
      </ConfirmDialog>
    </Page>
  );
}

function Holders({ role }: { role: Role }) {
  const client = useClient();
  const unit = useUnit();
  const { data: index } = useDiscovery();
  const { data: page } = useQuery({
    queryKey: queryKey(unit, "list-users", { holders: role.id }),
    queryFn: ({ signal }) => client.users.list({ filter: { role_id: role.id }, limit: 20, signal }).page(),
    enabled: offers(index, "users", "list-users"),
  });
  if (!page) return null;
  return (
    <Panel
      title="Holders"
      aside={
        <Link to="/administration/users" search={{ role: role.id }}>
          {counted(page.total_count, "user")}
        </Link>
      }
    >
      {page.items.length === 0 && <p className="soft">No user of this unit, or below it, holds this role.</p>}
      <ul className="holders">
        {page.items.map(({ id, full_name, email }) => (
          <li key={id}>
            <Link to="/administration/users/$id" params={{ id }}>
              <Untrusted text={full_name} />
            </Link>{" "}
            <span className="soft small">
              <Untrusted text={email} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
