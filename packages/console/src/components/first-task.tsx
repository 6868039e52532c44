import { Tabs } from "@mantine/core";
import { CommandWithToken, type ReportCommandsProps, useReportCommands } from "./report-commands";

/** How a task is reported: by `holdfast run`, by a ping URL, or by the API. */
export function FirstTask(props: ReportCommandsProps) {
  const { texts, tokenPart, pingPart } = useReportCommands(props);
  return (
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
  );
}
