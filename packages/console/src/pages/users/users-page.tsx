import { viewPages } from "@holdfast/api/resources/view-pages";
import { NativeSelect } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Column, DataTable } from "../../components/data-table";
import { ListPage, useListSearch } from "../../components/list-page";
import { PermissionButton } from "../../components/permission-button";
import { SafeText } from "../../components/safe-text";
import { EmptyState } from "../../components/states";
import { TimeText } from "../../components/time-text";
import { nameOf, unitName, useRoles, useUnits } from "../../data/names";
import { grantsOf, stateOf, type User } from "../../data/people";
import { useClient } from "../../data/unit";
import { visibleText } from "../../texts/foreign-text";
import { InviteDialog } from "./invite-dialog";

export function UsersPage() {
  const client = useClient();
  const roles = useRoles();
  const view = useListSearch(viewPages.users.names);
  const { search, change, isNarrowed } = view;
  const [isInviting, setInviting] = useState(false);
  const filter = viewPages.users.filterOf(search, { now: 0 });
  return (
    <>
      <ListPage
        title="Users"
        resource="users"
        version={2}
        noun="user"
        asked={{ filter }}
        list={(page) => client.users.list({ filter, ...page })}
        view={view}
        hasSearch
        filters={
          <NativeSelect
            aria-label="Role"
            value={search.role ?? ""}
            data={[
              { value: "", label: "All roles" },
              ...roles.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
            ]}
            onChange={(event) => change({ role: event.currentTarget.value || undefined })}
          />
        }
        actions={
          <PermissionButton permission="users:write" onClick={() => setInviting(true)}>
            Invite user
          </PermissionButton>
        }
        empty={
          <EmptyState
            title={isNarrowed ? "No user matches" : "No user holds a role here"}
            icon={isNarrowed ? "search" : "empty"}
          >
            <p className="soft">Users who hold a role in this unit or below it are listed here.</p>
          </EmptyState>
        }
      >
        {(users, isBusy) => <UserTable users={users} isBusy={isBusy} />}
      </ListPage>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

function UserTable({ users, isBusy }: { users: readonly User[]; isBusy: boolean }) {
  const roles = useRoles();
  const units = useUnits(
    users.flatMap((user) => grantsOf(user.access_control_configuration).map(({ unitId }) => unitId)),
  );
  const columns: Column<User>[] = [
    {
      title: "Name",
      className: "strong",
      cell: ({ id, full_name }) => (
        <Link to="/administration/users/$id" params={{ id }} className="row-link clip">
          <SafeText text={full_name} />
        </Link>
      ),
    },
    {
      title: "E-mail address",
      width: "26%",
      cell: ({ email }) => (
        <span className="clip">
          <SafeText text={email} />
        </span>
      ),
    },
    {
      title: "State",
      width: "104px",
      cell: (user) => {
        const { word, look } = stateOf(user);
        return <span className={`badge look-${look}`}>{word}</span>;
      },
    },
    {
      title: "Roles",
      width: "28%",
      cell: ({ access_control_configuration }) => (
        <span className="clip soft">
          {access_control_configuration.length === 0 && "none"}
          {grantsOf(access_control_configuration).map(({ roleId, unitId }, at) => (
            <span key={`${roleId} ${unitId}`}>
              {at > 0 && " · "}
              <SafeText text={nameOf(roles, roleId)} maxLength={60} /> in{" "}
              <SafeText text={unitName(units, unitId)} maxLength={60} />
            </span>
          ))}
        </span>
      ),
    },
    {
      title: "Last active",
      width: "130px",
      cardLabel: "Last active",
      cell: ({ last_activity_timestamp }) => <TimeText at={last_activity_timestamp} />,
    },
  ];
  return <DataTable name="Users" columns={columns} items={users} idOf={({ id }) => id} isBusy={isBusy} />;
}
