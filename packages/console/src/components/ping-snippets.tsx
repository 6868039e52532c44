import { Snippets } from "./snippets";

/** How the common tools report to a ping URL. */
export function PingSnippets({ url }: { url: string }) {
  return (
    <Snippets
      texts={{
        curl: `curl -fsS -m 10 --retry 5 ${url}`,
        cron: `30 2 * * *  /usr/local/bin/backup.sh && curl -fsS -m 10 --retry 5 ${url}`,
        borgmatic: `healthchecks:\n    ping_url: ${url}`,
        systemd: `[Service]\nExecStart=/usr/local/bin/backup.sh\nExecStopPost=/bin/sh -c 'curl -fsS -m 10 ${url}/$EXIT_STATUS'`,
        restic: `curl -fsS ${url}/start\nrestic backup /srv\ncurl -fsS ${url}/$?`,
      }}
    />
  );
}
