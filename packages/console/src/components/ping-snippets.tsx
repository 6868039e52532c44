import { publicUrl } from "../data/page-facts";
import type { Monitor } from "../data/protection";
import { commandOf } from "../texts/backup-commands";
import { cronLines } from "../texts/cron-line";
import { installHint } from "../texts/shell";
import { Snippets } from "./snippets";

export interface PingSnippetsProps {
  url: string;
  slug?: string;
  /** Type of its tasks: the commands are of the tool that makes such. */
  type?: string;
  /** When its monitor expects a run. */
  schedule: Monitor["schedule"];
}

/** Shows commands of the common tools that report the runs of a monitor: `holdfast run` by its slug, the others to its ping URL. */
export function PingSnippets({ url, slug, type = "", schedule }: PingSnippetsProps) {
  const { tool, command } = commandOf(type);
  const hasBorgmatic = tool === "script" || tool.startsWith("borg");
  return (
    <Snippets
      texts={{
        ...(slug === undefined ? {} : { "holdfast run": runText(slug, command) }),
        curl: `curl -fsS -m 10 --retry 5 ${url}`,
        cron: cronLines(schedule, command, url),
        ...(hasBorgmatic ? { borgmatic: `healthchecks:\n    ping_url: ${url}` } : {}),
        systemd: `[Service]\nExecStart=${command}\nExecStopPost=/bin/sh -c 'curl -fsS -m 10 ${url}/$EXIT_STATUS'`,
        ...(tool === "borgmatic" ? {} : { [tool]: `curl -fsS ${url}/start\n${command}\ncurl -fsS ${url}/$?` }),
      }}
    />
  );
}

function runText(slug: string, command: string): string {
  return `${installHint}
export HOLDFAST_URL=${publicUrl}
export HOLDFAST_TOKEN=…   # a service token of this unit with the role reporter
holdfast run --monitor ${slug} -- ${command}`;
}
