import { Link } from "@tanstack/react-router";
import { FirstTask } from "../../components/first-task";
import { offers, useDiscovery } from "../../data/rights";

/** First steps, if nothing was reported yet. It leaves when data comes, not when it is clicked away. */
export function FirstSteps() {
  const { data: index } = useDiscovery();
  return (
    <ol className="steps">
      <li className="panel">
        <h2>Report a first backup</h2>
        <p className="soft">
          Put <code>holdfast run</code> before the command that you have, let the job call an address, or send a request
          yourself.
        </p>
        <FirstTask />
      </li>
      {offers(index, "monitors", "list-monitors") && (
        <li className="panel">
          <h2>Watch a schedule</h2>
          <p className="soft">
            A monitor knows when a run is due, and says so when it does not come.{" "}
            <Link to="/monitors">Open Monitors</Link>
          </p>
        </li>
      )}
      {offers(index, "webhooks", "list-webhooks") && (
        <li className="panel">
          <h2>Get notified when something fails</h2>
          <p className="soft">
            By mail, in a chat, on a phone, or by a program of your own.{" "}
            <Link to="/administration/notifications">Open Notifications</Link>
          </p>
        </li>
      )}
      {offers(index, "users", "list-users") && (
        <li className="panel">
          <h2>Invite a colleague</h2>
          <p className="soft">
            They get a link, set a password, and see what their role allows.{" "}
            <Link to="/administration/users">Open Users</Link>
          </p>
        </li>
      )}
    </ol>
  );
}
