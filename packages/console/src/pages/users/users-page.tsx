import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { type Column, DataTable } from "../../components/data-table";
import { GatedButton } from "../../components/gated";
import { Page } from "../../components/page";
import { SearchBox } from "../../components/search-box";
import { ShownPage } from "../../components/shown-page";
import { EmptyState } from "../../components/states";
import { TimeText } from "../../components/time-text";
import { Untrusted } from "../../components/untrusted";
import { nameOf, unitName, useRoles, useUnits } from "../../data/names";
import { grantsOf, stateOf, type User } from "../../data/people";
import { queryKey } from "../../data/query-keys";
import { pageNumber } from "../../data/search-params";
import { useClient, useUnit } from "../../data/unit";
import { visibleText } from "../../texts/foreign-text";
import { InviteDialog } from "./invite-dialog";

interface UsersSearch {
  q?: string | undefined;
  role?: string | undefined;
  held_in?: string | undefined;
  page?: string | undefined;
}

const limit = 50;

export function UsersPage() {
  const search: UsersSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const client = useClient();
  const unit = useUnit();
  const roles = useRoles();
  const [isInviting, setInviting] = useState(false);
  const filter = {
    ...(search.q ? { name: { $contains: search.q } } : {}),
    ...(search.role ? { role_id: search.role } : {}),
    ...(search.held_in ? { organizational_unit_id: search.held_in } : {}),
  };
  const number = pageNumber(search.page);
  const query = useQuery({
    queryKey: queryKey(unit, "list-users", { filter, number }),
    queryFn: ({ signal }) => client.users.list({ filter, limit, start: number, signal }).page(),
    placeholderData: keepPreviousData,
  });
  const change = useCallback(
    (changes: UsersSearch, replace = false) =>
      void navigate({
        to: ".",
        search: (before: UsersSearch) => ({ ...before, ...changes, page: undefined }),
        replace,
      }),
    [navigate],
  );
  const onSearch = useCallback((q: string | undefined) => change({ q }, true), [change]);
  const isNarrowed = Object.keys(filter).length > 0;
  return (
    <Page
      title="Users"
      actions={
        <>
          <ShowApiCall
            resource="users"
            version={2}
            path="/users"
            query={{ filter: isNarrowed ? JSON.stringify(filter) : undefined }}
          />
          <GatedButton permission="users:write" onClick={() => setInviting(true)}>
            Invite user
          </GatedButton>
        </>
      }
    >
      <div className="filters">
        <SearchBox label="Search by name" value={search.q} onSearch={onSearch} />
        <NativeSelect
          aria-label="Role"
          value={search.role ?? ""}
          data={[
            { value: "", label: "All roles" },
            ...roles.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
          ]}
          onChange={(event) => change({ role: event.currentTarget.value || undefined })}
        />
        {isNarrowed && (
          <Button variant="subtle" onClick={() => change({ q: undefined, role: undefined, held_in: undefined })}>
            Clear filters
          </Button>
        )}
      </div>
      <ShownPage
        query={query}
        number={number}
        noun="user"
        empty={
          <EmptyState
            title={isNarrowed ? "No user matches" : "No user holds a role here"}
            icon={isNarrowed ? "search" : "empty"}
          >
            <p className="soft">Users who hold a role in this unit or below it are listed here.</p>
          </EmptyState>
        }
      >
        {(page) => <UserTable users={page.items} isBusy={query.isFetching} />}
      </ShownPage>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
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
          <Untrusted text={full_name} />
        </Link>
      ),
    },
    {
      title: "E-mail address",
      width: "26%",
      cell: ({ email }) => (
        <span className="clip">
          <Untrusted text={email} />
        </span>
      ),
    },
    {
      title: "State",
      width: "104px",
      cell: (user) => {
        const { word, look } = stateOf(user);
        return <span className={`badge badge-${look}`}>{word}</span>;
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
              <Untrusted text={nameOf(roles, roleId)} most={60} /> in{" "}
              <Untrusted text={unitName(units, unitId)} most={60} />
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
