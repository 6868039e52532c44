import { publicUrl } from "../data/page-facts";
import { installHint } from "../texts/shell";
import { Snippets } from "./snippets";

/** How the common tools report the runs of a monitor: `holdfast run` by its slug, the others to its ping URL. */
export function PingSnippets({ url, slug }: { url: string; slug?: string }) {
  return (
    <Snippets
      texts={{
        ...(slug === undefined ? {} : { "holdfast run": runText(slug) }),
        curl: `curl -fsS -m 10 --retry 5 ${url}`,
        cron: `30 2 * * *  /usr/local/bin/backup.sh && curl -fsS -m 10 --retry 5 ${url}`,
        borgmatic: `healthchecks:\n    ping_url: ${url}`,
        systemd: `[Service]\nExecStart=/usr/local/bin/backup.sh\nExecStopPost=/bin/sh -c 'curl -fsS -m 10 ${url}/$EXIT_STATUS'`,
        restic: `curl -fsS ${url}/start\nrestic backup /srv\ncurl -fsS ${url}/$?`,
      }}
    />
  );
}

function runText(slug: string): string {
  return `${installHint}
export HOLDFAST_URL=${publicUrl}
export HOLDFAST_TOKEN=…   # a service token of this unit with the role reporter
holdfast run --monitor ${slug} -- restic backup /srv`;
}
