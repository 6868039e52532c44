import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states";
import { CreateToken } from "../../components/token-dialogs";
import { TokenTable } from "../../components/token-table";
import { queryKey } from "../../data/query-keys";
import { useSession } from "../../data/session";
import { useClient, useUnit } from "../../data/unit";

const maxTokens = 100;

/** One's own personal tokens. Every role may have them. */
export function AccountTokens() {
  const client = useClient();
  const unit = useUnit();
  const { user } = useSession();
  const [isCreating, setCreating] = useState(false);
  const {
    data: page,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: queryKey(unit, "list-api-tokens", { own: user.id }),
    queryFn: ({ signal }) => client.apiTokens.list({ filter: { user_id: user.id }, limit: maxTokens, signal }).page(),
  });
  return (
    <div className="stack">
      <div className="spread">
        <p className="soft">A personal token acts as you, with the roles that you hold when it is used.</p>
        <Button onClick={() => setCreating(true)}>Create token</Button>
      </div>
      {error && !page ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!page && !error && <SkeletonRows count={3} />}
      {page && page.items.length > 0 && (
        <TokenTable tokens={page.items} people={new Map([[user.id, user.full_name]])} isBusy={isFetching} />
      )}
      {page?.items.length === 0 && <EmptyState title="You have no personal token" icon="tokens" />}
      {isCreating && <CreateToken kinds={["personal"]} onClose={() => setCreating(false)} />}
    </div>
  );
}
