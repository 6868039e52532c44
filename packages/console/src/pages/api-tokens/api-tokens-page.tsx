import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { Page } from "../../components/page";
import { SearchBox } from "../../components/search-box";
import { ShownPage } from "../../components/shown-page";
import { EmptyState } from "../../components/states";
import { CreateToken } from "../../components/token-dialogs";
import { TokenTable } from "../../components/token-table";
import { queryKey } from "../../data/query-keys";
import { offers, useDiscovery, useMay } from "../../data/rights";
import { pageNumber } from "../../data/search-params";
import type { ApiToken } from "../../data/tokens";
import { useClient, useUnit } from "../../data/unit";

interface TokensSearch {
  q?: string | undefined;
  kind?: string | undefined;
  role?: string | undefined;
  owner?: string | undefined;
  show?: string | undefined;
  page?: string | undefined;
}

const limit = 50;
const kinds = [
  { value: "", label: "All kinds" },
  { value: "service", label: "Service" },
  { value: "personal", label: "Personal" },
];
const states = [
  { value: "good", label: "Not revoked" },
  { value: "", label: "All states" },
];

export function ApiTokensPage() {
  const search: TokensSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const client = useClient();
  const unit = useUnit();
  const mayWrite = useMay("api-tokens:write");
  const [isCreating, setCreating] = useState(false);
  const filter = {
    ...(search.q ? { name: { $contains: search.q } } : {}),
    ...(search.kind ? { kind: search.kind } : {}),
    ...(search.role ? { role_id: search.role } : {}),
    ...(search.owner ? { user_id: search.owner } : {}),
    ...(search.show === "good" ? { is_revoked: false } : {}),
  };
  const number = pageNumber(search.page);
  const query = useQuery({
    queryKey: queryKey(unit, "list-api-tokens", { filter, number }),
    queryFn: ({ signal }) => client.apiTokens.list({ filter, limit, start: number, signal }).page(),
    placeholderData: keepPreviousData,
  });
  const people = usePeopleOf(query.data?.items ?? []);
  const change = useCallback(
    (changes: TokensSearch, replace = false) =>
      void navigate({
        to: ".",
        search: (before: TokensSearch) => ({ ...before, ...changes, page: undefined }),
        replace,
      }),
    [navigate],
  );
  const onSearch = useCallback((q: string | undefined) => change({ q }, true), [change]);
  const isNarrowed = Object.keys(filter).length > 0;
  return (
    <Page
      title="API tokens"
      actions={
        <>
          <ShowApiCall
            resource="api-tokens"
            path="/api-tokens"
            query={{ filter: isNarrowed ? JSON.stringify(filter) : undefined }}
          />
          <Button onClick={() => setCreating(true)}>Create token</Button>
        </>
      }
    >
      <div className="filters">
        <SearchBox label="Search by name" value={search.q} onSearch={onSearch} />
        <NativeSelect
          aria-label="Kind"
          data={kinds}
          value={search.kind ?? ""}
          onChange={(event) => change({ kind: event.currentTarget.value || undefined })}
        />
        <NativeSelect
          aria-label="State"
          data={states}
          value={search.show ?? ""}
          onChange={(event) => change({ show: event.currentTarget.value || undefined })}
        />
        {isNarrowed && (
          <Button
            variant="subtle"
            onClick={() =>
              change({ q: undefined, kind: undefined, role: undefined, owner: undefined, show: undefined })
            }
          >
            Clear filters
          </Button>
        )}
      </div>
      <ShownPage
        query={query}
        number={number}
        noun="token"
        empty={
          <EmptyState title={isNarrowed ? "No token matches" : "There is no token yet"}>
            <p className="soft">
              Programs call the API with tokens: a service token has a role of its own, a personal one acts as its user.
            </p>
          </EmptyState>
        }
      >
        {(page) => (
          <TokenTable
            tokens={page.items}
            people={people}
            isBusy={query.isFetching}
            reason={mayWrite ? undefined : "Your role lacks the permission api-tokens:write in this unit."}
          />
        )}
      </ShownPage>
      {isCreating && <CreateToken kinds={["service", "personal"]} onClose={() => setCreating(false)} />}
    </Page>
  );
}

/** The names of the people who own or made tokens, in one request. */
function usePeopleOf(tokens: readonly ApiToken[]): ReadonlyMap<string, string> {
  const client = useClient();
  const unit = useUnit();
  const { data: index } = useDiscovery();
  const ids = [
    ...new Set(tokens.flatMap(({ user_id, created_by }) => [user_id, created_by].filter((id) => id !== null))),
  ].sort();
  const { data } = useQuery({
    queryKey: queryKey(unit, "list-users", { ids }),
    queryFn: ({ signal }) =>
      client.users.list({ filter: { id: { $in: ids.slice(0, 200) } }, limit: 200, signal }).page(),
    enabled: ids.length > 0 && offers(index, "users", "list-users"),
    staleTime: 60_000,
  });
  return new Map(data?.items.map(({ id, full_name }) => [id, full_name]));
}
