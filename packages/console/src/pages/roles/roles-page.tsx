import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { type Column, DataTable } from "../../components/data-table";
import { ConfirmDialog } from "../../components/dialogs";
import { Page } from "../../components/page";
import { PermissionButton } from "../../components/permission-button";
import { SafeText } from "../../components/safe-text";
import { ErrorState, SkeletonRows } from "../../components/states";
import { useApiForm } from "../../data/api-form";
import { useChange } from "../../data/change";
import { type Role, rolesQuery, unitName, useUnits } from "../../data/names";
import { useClient, useUnit } from "../../data/unit";
import { counted } from "../../texts/numbers";
import { PermissionBoxes } from "./permission-boxes";
import { labels, type RoleDraft, RoleFields } from "./role-fields";

export function RolesPage() {
  const unit = useUnit();
  const units = useUnits();
  const [isCreating, setCreating] = useState(false);
  const { data: page, error, isFetching, refetch } = useQuery(rolesQuery(unit));
  const columns: Column<Role>[] = [
    {
      title: "Name",
      width: "22%",
      className: "strong",
      cell: ({ id, name }) => (
        <Link to="/administration/roles/$id" params={{ id }} className="row-link clip">
          <SafeText text={name} />
        </Link>
      ),
    },
    {
      title: "What it is for",
      cell: ({ description }) => (
        <span className="clip-two">
          <SafeText text={description} />
        </span>
      ),
    },
    { title: "Permissions", width: "140px", cell: ({ permissions }) => counted(permissions.length, "permission") },
    {
      title: "Made in",
      width: "20%",
      cell: ({ is_default, organizational_unit_id }) =>
        is_default ? (
          <span className="badge look-neutral">Default, locked</span>
        ) : (
          <span className="clip">
            <SafeText text={unitName(units, organizational_unit_id)} />
          </span>
        ),
    },
  ];
  const roles = page?.items.toSorted((one, other) => Number(other.is_default) - Number(one.is_default));
  return (
    <Page
      title="Roles"
      actions={
        <>
          <ShowApiCall resource="roles" path="/roles" />
          <PermissionButton permission="roles:write" onClick={() => setCreating(true)}>
            Create role
          </PermissionButton>
        </>
      }
    >
      {error && !page ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!page && !error && <SkeletonRows />}
      {roles && <DataTable name="Roles" columns={columns} items={roles} idOf={({ id }) => id} isBusy={isFetching} />}
      {isCreating && <CreateRole onClose={() => setCreating(false)} />}
    </Page>
  );
}

function CreateRole({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const navigate = useNavigate();
  const create = useChange(
    (body: RoleDraft, idempotencyKey) => client.roles.create(body, { idempotencyKey }),
    ({ id }) => void navigate({ to: "/administration/roles/$id", params: { id } }),
  );
  const values: RoleDraft = { name: "", description: "", permissions: [] };
  const form = useApiForm({ values, labels, error: create.error });
  return (
    <ConfirmDialog
      title="Create role"
      isOpen
      onClose={onClose}
      size="lg"
      isDirty={form.isDirty}
      confirm="Create role"
      isBusy={create.isPending}
      isDisabled={form.values.permissions.length === 0}
      error={form.rest}
      onConfirm={form.send(create.mutate)}
    >
      <RoleFields form={form} />
      <PermissionBoxes {...form.field("permissions")} />
    </ConfirmDialog>
  );
}
