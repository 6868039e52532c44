import { Tabs } from "@mantine/core";
import { isForOneMachine, publicUrl } from "../data/page-facts";
import { CommandWithToken, type ReportCommandsProps, useReportCommands } from "./report-commands";

/** Ways to report a task: by `holdfast run`, by a ping URL, or by the API. */
export function FirstTask(props: ReportCommandsProps) {
  const { texts, tokenPart, pingPart } = useReportCommands(props);
  return (
    <div className="stack-small">
      {isForOneMachine && <UnreachableNotice />}
      <Tabs defaultValue="run" className="first-task">
        <Tabs.List>
          <Tabs.Tab value="run">holdfast run</Tabs.Tab>
          <Tabs.Tab value="ping">Ping URL</Tabs.Tab>
          <Tabs.Tab value="curl">curl</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="run">
          <CommandWithToken text={texts.run} tokenPart={tokenPart} />
        </Tabs.Panel>
        <Tabs.Panel value="ping">{pingPart}</Tabs.Panel>
        <Tabs.Panel value="curl">
          <CommandWithToken text={texts.curl} tokenPart={tokenPart} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

/** Says that the commands are of no use on another host, and what to change first. */
function UnreachableNotice() {
  return (
    <div role="note" className="notice look-incomplete">
      <p>
        <strong>Other hosts cannot reach this service.</strong> Its address is {publicUrl}, which is the machine that it
        runs on. These commands work only there.
      </p>
      <p>
        To add other hosts, put a proxy with TLS in front of the service, set <code>base_url</code> to its address, such
        as <code>https://backup.example.org</code>, name {publicUrl} in <code>base_url_aliases</code>, and start the
        service again. Without a proxy, also set <code>host</code> to an address of the machine that other hosts can
        reach.
      </p>
    </div>
  );
}
