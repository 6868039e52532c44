import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { ConfirmDialog } from "../../components/dialogs";
import { EditConflict } from "../../components/edit-conflict";
import { LastChange } from "../../components/last-change";
import { LeaveGuard } from "../../components/leave-guard";
import { showNotice } from "../../components/notices";
import { Page } from "../../components/page";
import { Panel } from "../../components/panel";
import { ReadPage } from "../../components/read-page";
import { SafeText } from "../../components/safe-text";
import { SaveButtons } from "../../components/save-buttons";
import { useApiForm } from "../../data/api-form";
import { useChange } from "../../data/change";
import { useConflictSafeSave } from "../../data/conflict-safe-save";
import type { Role } from "../../data/names";
import { queryKey } from "../../data/query-keys";
import { offers, useDiscovery, useMay } from "../../data/rights";
import { useClient, useUnit } from "../../data/unit";
import { counted } from "../../texts/numbers";
import { PermissionBoxes } from "./permission-boxes";
import { labels, type RoleDraft, RoleFields } from "./role-fields";

function draftOf({ name, description, permissions }: Role): RoleDraft {
  return { name, description, permissions };
}

function factsOf({ name, description, permissions }: RoleDraft) {
  return {
    [labels.name]: name,
    [labels.description]: description,
    [labels.permissions]: permissions.toSorted().join("\n"),
  };
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
  const [isDeleting, setDeleting] = useState(false);
  const take = (next: Role) => {
    setBase(next);
    form.restart(draftOf(next));
  };
  const saving = useConflictSafeSave({
    send: (mine: RoleDraft, ifMatch) => client.roles.update(role.id, mine, { ifMatch }),
    read: () => client.roles.read(role.id),
    onSaved: (saved: Role) => {
      take(saved);
      showNotice("Saved.");
    },
  });
  const form = useApiForm({ values: draftOf(role), labels, error: saving.error });
  const remove = useChange(
    () => client.roles.delete(role.id),
    () => void navigate({ to: "/administration/roles" }),
  );
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
        <p className="notice look-neutral">
          Every Holdfast has this role. It cannot be changed: make one of your own instead.
        </p>
      )}
      <LastChange kind="role" id={role.id} />
      <Panel title="What it allows">
        <form className="stack" onSubmit={form.send((draft) => saving.save(draft, base))}>
          {mayWrite ? (
            <div className="stack form-narrow">
              <RoleFields form={form} />
            </div>
          ) : (
            <p>
              <SafeText text={role.description} />
            </p>
          )}
          <PermissionBoxes {...form.field("permissions")} isReadOnly={!mayWrite} />
          {mayWrite && (
            <SaveButtons form={form} isBusy={saving.isPending}>
              <Button variant="default" className="danger" onClick={() => setDeleting(true)}>
                Delete role
              </Button>
            </SaveButtons>
          )}
        </form>
      </Panel>
      <Holders role={role} />
      <LeaveGuard isDirty={form.isDirty && !isDeleting} />
      <EditConflict
        what="role"
        saving={saving}
        factsOf={(theirs) => factsOf(draftOf(theirs))}
        mine={factsOf}
        onTake={take}
      />
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
              <SafeText text={full_name} />
            </Link>{" "}
            <span className="soft small">
              <SafeText text={email} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
