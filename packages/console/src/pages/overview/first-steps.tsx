import { Tabs } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { publicUrl } from "../../data/page-facts";

const run = `export HOLDFAST_URL=${publicUrl}
export HOLDFAST_TOKEN=…
npx holdfast run -- restic backup /srv`;

const curl = `curl ${publicUrl}/tasks \\
  -H "Authorization: Bearer $HOLDFAST_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"category":"backup","type":"tar_create","status":"completed",
       "primary_entity":{"type":"host","value":"web-01"}}'`;

/** How a first task is reported. */
export function FirstTask() {
  return (
    <Tabs defaultValue="run" className="first-task">
      <Tabs.List>
        <Tabs.Tab value="run">holdfast run</Tabs.Tab>
        <Tabs.Tab value="curl">curl</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="run">
        <pre className="snippet">{run}</pre>
      </Tabs.Panel>
      <Tabs.Panel value="curl">
        <pre className="snippet">{curl}</pre>
      </Tabs.Panel>
    </Tabs>
  );
}

/** What to do first, where nothing was reported yet. It leaves when data comes, not when it is clicked away. */
export function FirstSteps() {
  return (
    <ol className="steps">
      <li className="panel">
        <h2>Report a first backup</h2>
        <p className="soft">
          Put <code>holdfast run</code> before the command that you have, or report it yourself. The token is a service
          token with the role <code>reporter</code>: make one under{" "}
          <Link to="/administration/api-tokens">API tokens</Link>.
        </p>
        <FirstTask />
      </li>
      <li className="panel">
        <h2>Invite a colleague</h2>
        <p className="soft">
          Under <Link to="/administration/users">Users</Link>. They get a link, set a password, and see what their role
          allows.
        </p>
      </li>
      <li className="panel">
        <h2>Or look at made-up data first</h2>
        <p className="soft">On the machine that Holdfast runs on, with an empty database:</p>
        <pre className="snippet">npx holdfast demo</pre>
      </li>
    </ol>
  );
}
