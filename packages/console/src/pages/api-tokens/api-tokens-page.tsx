import { viewPages } from "@holdfast/api/resources/view-pages";
import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { ListPage, useListSearch } from "../../components/list-page";
import { EmptyState } from "../../components/states";
import { CreateToken } from "../../components/token-dialogs";
import { TokenTable } from "../../components/token-table";
import { useNamesOfPeople } from "../../data/names";
import { useMay } from "../../data/rights";
import type { ApiToken } from "../../data/tokens";
import { useClient } from "../../data/unit";

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
  const client = useClient();
  const view = useListSearch(viewPages["api-tokens"].names);
  const { search, change, isNarrowed } = view;
  const [isCreating, setCreating] = useState(false);
  const filter = viewPages["api-tokens"].filterOf(search, { now: 0 });
  return (
    <>
      <ListPage
        title="API tokens"
        resource="api-tokens"
        noun="token"
        asked={{ filter }}
        list={(page) => client.apiTokens.list({ filter, ...page })}
        view={view}
        hasSearch
        filters={
          <>
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
          </>
        }
        actions={<Button onClick={() => setCreating(true)}>Create token</Button>}
        empty={
          <EmptyState title={isNarrowed ? "No token matches" : "There is no token yet"}>
            <p className="soft">
              Programs call the API with tokens: a service token has a role of its own, a personal one acts as its user.
            </p>
          </EmptyState>
        }
      >
        {(tokens, isBusy) => <NamedTokens tokens={tokens} isBusy={isBusy} />}
      </ListPage>
      {isCreating && <CreateToken kinds={["service", "personal"]} onClose={() => setCreating(false)} />}
    </>
  );
}

function NamedTokens({ tokens, isBusy }: { tokens: readonly ApiToken[]; isBusy: boolean }) {
  const mayWrite = useMay("api-tokens:write");
  const people = useNamesOfPeople(
    tokens.flatMap(({ user_id, created_by }) => [user_id, created_by].filter((id) => id !== null)),
  );
  return (
    <TokenTable
      tokens={tokens}
      people={people}
      isBusy={isBusy}
      reason={mayWrite ? undefined : "Your role lacks the permission api-tokens:write in this unit."}
    />
  );
}
