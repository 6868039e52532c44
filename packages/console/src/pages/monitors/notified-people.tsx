import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Panel } from "../../components/panel";
import { SafeText } from "../../components/safe-text";
import { type Webhook, webhookState } from "../../data/notifications";
import { queryKey } from "../../data/query-keys";
import { offers, useDiscovery } from "../../data/rights";
import { useClient, useUnit } from "../../data/unit";
import { kindWords } from "../../texts/notification-words";

const isOn = ({ is_enabled, disabled_reason }: Webhook) => is_enabled && disabled_reason === null;
const howMany = 20;
/** Events that a monitor can cause. */
const about = ["monitor.down", "monitor.up", "task.missed"];

/** The notifications that say when a run of a monitor does not come. */
export function NotifiedPeople() {
  const client = useClient();
  const unit = useUnit();
  const { data: index } = useDiscovery();
  const { data: page } = useQuery({
    queryKey: queryKey(unit, "list-webhooks", "of monitors"),
    queryFn: ({ signal }) => client.webhooks.list({ limit: howMany, signal }).page(),
    enabled: offers(index, "webhooks", "list-webhooks"),
  });
  if (!page) return null;
  const receivers = page.items.filter(({ events }) => events.some((event) => about.includes(event)));
  return (
    <Panel title="Who is notified" aside={<Link to="/administration/notifications">Notifications</Link>}>
      {receivers.length === 0 && <p className="soft">No notification says when a run of a monitor does not come.</p>}
      {receivers.length > 0 && receivers.every((webhook) => !isOn(webhook)) && (
        <p className="notice look-incomplete">All of these are off: no message is sent.</p>
      )}
      <ul className="plain-list receivers">
        {receivers.map((webhook) => (
          <li key={webhook.id}>
            <Link to="/administration/notifications/$id" params={{ id: webhook.id }}>
              <SafeText text={webhook.name} />
            </Link>
            <span className="soft">
              {" · "}
              {kindWords[webhook.kind] ?? webhook.kind}
              {!isOn(webhook) && ` (${webhookState(webhook).word.toLowerCase()})`}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
