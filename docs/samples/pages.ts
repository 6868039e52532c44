import type { PageNeeds } from "./run-page";

/** Needs of a page beyond a service with demonstration data. */
export interface PageOptions extends PageNeeds {
  /** True if it is run in `npm run test:long` only, because it takes long. */
  isLong?: boolean;
  /** True if it begins with a service without data. */
  beginsEmpty?: boolean;
  /** True if a service that it starts is not started even in the long run; its settings are read. */
  startsNothing?: boolean;
  /** Settings of the service that runs. */
  settings?: Record<string, string>;
}

/** Pages that `npm test` runs each time. All other pages are run in the long run, and when the test is started by hand. */
export const everyRun = [
  "README.md",
  "docs/tutorial.md",
  "docs/how-to/back-up-holdfast.md",
  "docs/how-to/report-a-task.md",
  "docs/how-to/upgrade.md",
  "docs/reference/operations.md",
];

/** A host with something to back up, and a token to report it with. */
const host: PageOptions = {
  isLong: true,
  environment: { RESTIC_PASSWORD: "of the samples" },
  setUp: `
npx holdfast token create --kind service --name web-01 --role reporter > /etc/holdfast/token
chmod 600 /etc/holdfast/token
mkdir -p /srv/www /srv/backup /srv/dumps /mnt/backup/www
echo "Hello" > /srv/www/index.html
restic -q -r /srv/restic init
`,
};

/**
 * Pages that need more than the others. A page that is not here begins with demonstration data, in the folder of the checkout. To
 * add a page, write it; if it needs something first, add a line here.
 */
export const pageOptions: Record<string, PageOptions> = {
  "README.md": { beginsEmpty: true },
  "docs/tutorial.md": { beginsEmpty: true },
  "docs/how-to/sign-in.md": {
    beginsEmpty: true,
    blanks: ({ firstOwnerSecret }) => ({ SECRET: `'${firstOwnerSecret}'` }),
  },
  "docs/reference/operations.md": {
    mayBeMissing: true,
    setUp: `
URL=http://127.0.0.1:8080
TOKEN=$(npx holdfast token create --kind service --name reference --role owner)`,
  },
  "docs/how-to/monitor-a-backup.md": host,
  "docs/how-to/run-a-backup.md": {
    ...host,
    setUp: `${host.setUp}
printf '#!/bin/sh\\nexec restic -r /srv/restic backup /srv/www\\n' > /usr/local/bin/nightly.sh
chmod 755 /usr/local/bin/nightly.sh`,
  },
  "docs/how-to/when-nothing-arrives.md": host,
  "docs/how-to/engines/restic.md": host,
  "docs/how-to/engines/tar.md": host,
  "docs/how-to/engines/rsync.md": host,
  "docs/how-to/engines/borg.md": { ...host, setUp: `${host.setUp}\nborg init --encryption none /srv/borg` },
  "docs/how-to/engines/rclone.md": {
    ...host,
    environment: { ...host.environment, RCLONE_CONFIG_STORE_TYPE: "memory" },
  },
  "docs/how-to/engines/borgmatic.md": {
    ...host,
    setUp: `${host.setUp}
borg init --encryption none /srv/borg
mkdir -p /etc/borgmatic
printf 'location:\\n    source_directories: [/srv/www]\\n    repositories: [/srv/borg]\\n' > /etc/borgmatic/config.yaml`,
  },
  "docs/how-to/pings/curl.md": {
    ...host,
    blanks: () => ({ PING_URL: '"$GIVEN"' }),
    setUp: `${host.setUp}
ADMIN=$(npx holdfast token create --kind service --name setup --role admin)
GIVEN=$(curl -s http://127.0.0.1:8080/monitors -H "Authorization: Bearer $ADMIN" -H "Content-Type: application/json" -d '{
  "name": "Files", "type": "restic_backup", "schedule": {"cron": "30 2 * * *"}}' | jq -r .ping_url)`,
  },
  "docs/how-to/get-notified.md": {
    settings: { smtp_url: "smtp://127.0.0.1:1", mail_from: "holdfast@example.org" },
    setUp: 'npx holdfast user create --email ada@example.org --name "Ada Adams" --role viewer',
  },
  "docs/how-to/make-a-token.md": {
    blanks: ({ firstOwnerSecret }) => ({ GIVEN: `'${firstOwnerSecret}'` }),
    setUp: `
GIVEN=...
curl -s http://127.0.0.1:8080/first-owner -H "Content-Type: application/json" -d '{"secret": "'$GIVEN'",
  "email": "maria@example.org", "full_name": "Maria Keller", "password": "tractor sails violet noon"}'`,
  },
  "docs/how-to/back-up-holdfast.md": { setUp: "npx holdfast database backup /backup/holdfast-Sun.db" },
  "docs/how-to/move-to-postgresql.md": {},
  "docs/how-to/install.md": { setUp: "mkdir -p /var/backups/holdfast" },
  "docs/how-to/monitor-holdfast.md": { setUp: "mkdir -p /var/lib/prometheus/node-exporter" },
  "docs/how-to/upgrade.md": {
    blanks: () => ({ COMMIT: "$GIVEN" }),
    setUp: `
git init --quiet /opt/holdfast
git -C /opt/holdfast remote add origin /opt/holdfast
git -C /opt/holdfast -c user.name=Ada -c user.email=ada@example.org commit --quiet --allow-empty --message Old
GIVEN=$(git -C /opt/holdfast rev-parse HEAD)
git -C /opt/holdfast tag v0.2.0
npx holdfast database backup /var/lib/holdfast/holdfast.db-before-upgrade`,
  },
  // These pages start services that need servers of their own, which other tests have.
  "docs/how-to/run-on-postgresql.md": { startsNothing: true },
};
