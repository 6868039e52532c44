import { expiryNotice, maxExpiryNoticeMs } from "@holdfast/api/resources/token-expiry";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Panel } from "../../components/panel";
import { SafeText } from "../../components/safe-text";
import { TimeText } from "../../components/time-text";
import { usePollInterval } from "../../data/idle-tracker";
import { queryKey } from "../../data/query-keys";
import { useMay } from "../../data/rights";
import type { ApiToken } from "../../data/tokens";
import { useClient, useUnit } from "../../data/unit";
import { countText } from "../../texts/numbers";

const maxShown = 5;
/** So many tokens are looked at; more than that are more than anybody renews by hand. */
const maxRead = 100;

/** The API tokens that expire soon and were not replaced, for those who manage tokens. Hidden if there is none. */
export function ExpiringTokens() {
  const client = useClient();
  const unit = useUnit();
  const { data: tokens = [] } = useQuery({
    queryKey: queryKey(unit, "list-api-tokens", "expiring"),
    queryFn: ({ signal }) =>
      client.apiTokens
        .list({
          filter: {
            expires_timestamp: { $gt: new Date(), $lte: new Date(Date.now() + maxExpiryNoticeMs) },
            is_revoked: false,
          },
          sort: "expires_timestamp",
          limit: maxRead,
          signal,
        })
        .first(maxRead),
    enabled: useMay("api-tokens:read"),
    refetchInterval: usePollInterval(300_000),
  });
  const expiring = tokens.filter(isExpiring);
  if (expiring.length === 0) return null;
  return (
    <Panel
      title={`Expiring API tokens · ${countText(expiring.length)}`}
      aside={<Link to="/administration/api-tokens">Show all</Link>}
    >
      <ul className="plain-list stack-small">
        {expiring.slice(0, maxShown).map(({ id, name, expires_timestamp }) => (
          <li key={id} className="spread">
            <span className="clip">
              <SafeText text={name} />
            </span>
            <TimeText at={expires_timestamp} />
          </li>
        ))}
      </ul>
      <p className="soft small">
        Renew a service token where it is used: <code className="nowrap">holdfast token renew</code>
      </p>
    </Panel>
  );
}

function isExpiring({ created_timestamp, expires_timestamp, revoked_timestamp, is_foreign }: ApiToken): boolean {
  const life = { createdAt: Date.parse(created_timestamp), expiresAt: Date.parse(expires_timestamp) };
  return revoked_timestamp === null && !is_foreign && expiryNotice(life, Date.now()) !== undefined;
}
