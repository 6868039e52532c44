import { expect, test } from "bun:test";
import { engineNames } from "./engine-names";
import { steadyDates, steadyPath } from "./places";
import { recogniseCommand } from "./recognise";

function recognise(command: string, environment: Record<string, string> = {}, host = "h1", folder = "/here") {
  return recogniseCommand({ argv: command.split(" "), environment, host, folder });
}

/** Per engine: a command, the item of it on one of two hosts, and its operation. */
const commands: [engine: string, command: string, item: string, operation: string][] = [
  ["restic", "restic -r /r backup /etc", "host:HOST", "restic_backup /etc → /r"],
  ["borg", "borg create /r::{now} /etc", "host:HOST", "borg_create /etc → /r"],
  ["borgmatic", "borgmatic -c /etc/b.yaml", "host:HOST", "borgmatic_create @/etc/b.yaml"],
  ["kopia", "kopia snapshot create /etc", "host:HOST", "kopia_snapshot /etc"],
  ["pgbackrest", "pgbackrest --stanza=main backup", "database:HOST/main", "pgbackrest_incremental_backup main"],
  ["postgres", "pg_dump erp", "database:HOST/erp", "pg_dump erp"],
  ["postgres", "pg_dump -h localhost erp", "database:HOST/erp", "pg_dump erp@localhost"],
  ["postgres", "pg_dump -h 127.0.0.1 -p 5433 erp", "database:HOST/erp", "pg_dump erp@127.0.0.1:5433"],
  ["postgres", "pg_dump -h /run/pg erp", "database:HOST/erp", "pg_dump erp@/run/pg"],
  ["postgres", "pg_dump postgresql://u:pw@[::1]/erp", "database:HOST/erp", "pg_dump erp@[::1]"],
  ["postgres", "pg_dump postgresql:///erp?host=/run/pg", "database:HOST/erp", "pg_dump erp@/run/pg"],
  ["postgres", "pg_dumpall -f /b/all.sql", "database:HOST/cluster", "pg_dumpall cluster → /b"],
  ["postgres", "pg_basebackup -D /b/base", "database:HOST/cluster", "pg_basebackup cluster → /b"],
  ["rclone", "rclone sync /etc s3:b", "folder:HOST/etc", "rclone_sync /etc → s3:b"],
  ["rclone", "rclone sync ../etc /mnt/b", "folder:HOST/etc", "rclone_sync /etc → /mnt/b"],
  ["rsync", "rsync -a /etc/ssl/ nas:/b", "folder:HOST/etc/ssl", "rsync_copy /etc/ssl → nas:/b"],
  ["rsync", "rsync -a ssl nas:/b", "folder:HOST/here/ssl", "rsync_copy /here/ssl → nas:/b"],
  ["rsync", "rsync -a me@localhost:/etc /b", "folder:HOST/etc", "rsync_copy me@localhost:/etc → /b"],
  ["rsync", "rsync -a rsync://localhost/etc /b", "folder:HOST/etc", "rsync_copy rsync://localhost/etc → /b"],
  ["tar", "tar -czf /b/x.tgz -C /etc ssl", "folder:HOST/etc/ssl", "tar_create /etc/ssl → /b"],
  ["tar", "tar czf x.tgz ssl", "folder:HOST/here/ssl", "tar_create /here/ssl → /here"],
  ["tar", "tar -c -C /etc ssl -C ../srv . /var", "folder:HOST/etc/ssl", "tar_create /etc/ssl,/srv,/var"],
  ["tar", "env -C /etc tar -c ssl", "folder:HOST/etc/ssl", "tar_create /etc/ssl"],
  ["tar", "sudo --chdir=/etc tar -c ssl", "folder:HOST/etc/ssl", "tar_create /etc/ssl"],
  ["other", "./backup.sh /etc", "script:HOST/backup.sh", "backup.sh"],
  ["other", "true", "script:HOST/true", "true"],
  ["other", "mysqldump -uroot -pgeheim shop", "database:HOST/shop", "mysqldump shop"],
  ["other", "mysqldump -h localhost -P 3307 shop", "database:HOST/shop", "mysqldump shop@localhost:3307"],
  ["other", "mongodump -d shop -o /b", "database:HOST/shop", "mongodump shop → /b"],
];

test.each(commands)("%s: %s on two hosts is two items, and one operation", (engine, command, item, operation) => {
  const found = ["web-01", "web-02"].map((host) => recognise(command, {}, host));
  const items = found.map(({ recognition }) => `${recognition.entity.type}:${recognition.entity.value}`);
  expect(items).toEqual([item.replace("HOST", "web-01"), item.replace("HOST", "web-02")]);
  expect(found.map(({ recognition }) => recognition.operation)).toEqual([operation, operation]);
  expect(found.map(({ engine: { name } }) => String(name))).toEqual([engine, engine]);
});

test("every engine is in that table", () => {
  expect([...new Set(commands.map(([engine]) => engine))].sort()).toEqual([...engineNames].sort());
});

test.each([
  ["rsync -a nas:/data /b", "folder nas:/data"],
  ["rsync -a me@nas::module/x /b", "folder me@nas::module/x"],
  ["rsync -a rsync://nas/x /b", "folder rsync://nas/x"],
  ["pg_dump -h db.example.com erp", "database erp@db.example.com"],
  ["pg_dump -d host=db1\tpassword=geheim\tdbname=erp", "database erp@db1"],
  ["pg_dump postgres://u:p@ss@db1/erp", "database erp@db1"],
  ["pg_basebackup -h db1 -D /b", "database cluster@db1"],
  ["mysqldump -h db1 shop", "database shop@db1"],
  ["pg_dump postgres://u:p/w@db1/erp", "database erp@db1"],
  ["mongodump --uri=mongodb://u:p/w@db1/erp", "database erp@db1"],
  ["rclone sync drive:x s3:b", "remote drive:x"],
  ["rclone sync :s3,secret_access_key=ge/heim:x s3:b", "remote :s3:x"],
  ["rclone sync s3:b /home", "remote s3:b"],
  ["pgbackrest --stanza=main --pg1-host=db1 backup", "database db1/main"],
])("a name elsewhere stays as it is: %s", (command, item) => {
  const { entity } = recognise(command).recognition;
  expect(`${entity.type} ${entity.value}`).toBe(item);
});

test.each([
  ["sh backup.sh", "backup.sh"],
  ["bash -eu -o pipefail /opt/nightly.sh --full", "nightly.sh"],
  ["bash -euo pipefail -- /opt/nightly.sh", "nightly.sh"],
  ["sudo -u backup ./nightly.sh", "nightly.sh"],
  ["/usr/bin/env python3 -u /opt/save.py x", "save.py"],
  ["python3.11 -m saver.nightly", "saver.nightly"],
  ["perl -w -I /lib save.pl", "save.pl"],
  ["node save.mjs", "save.mjs"],
  ["php -d a=b save.php", "save.php"],
  ["sh", "sh"],
  ["sudo --nosuch restic backup /", "sudo"],
])("a script is known by its base name: %s", (command, name) => {
  const { entity, operation, category } = recognise(command).recognition;
  expect([entity, operation, category]).toEqual([{ type: "script", value: `h1/${name}` }, name, "backup"]);
});

test.each([
  "restic backup --dry-run /etc",
  "restic backup -n /etc",
  "restic backup --help",
  "borg create -n /r::a /etc",
  "borgmatic --version",
  "borgmatic create --dry-run",
  "kopia snapshot create --help",
  "pgbackrest --stanza=main backup --help",
  "rclone sync -n /etc s3:b",
  "rsync -avn /etc nas:/b",
  "rsync --version",
  "rsync nas:/b",
  "pg_dump --help",
  "pg_basebackup -V",
  "tar --version",
  "mysqldump --help",
])("a run that saves nothing is no backup: %s", (command) => {
  expect(recognise(command).recognition.category).toBe("system");
});

test("code in the command line is known by a hash of it, and the item is that of the shell", () => {
  const code = (text: string, flag = "-c") =>
    recogniseCommand({ argv: ["sh", flag, text], environment: {}, host: "h1", folder: "/" }).recognition;
  const [one, other] = [code("pg_dump a | gzip > /b/a.gz"), code("pg_dump b | gzip > /b/b.gz")];
  expect([one.entity.value, other.entity.value]).toEqual(["h1/sh", "h1/sh"]);
  expect(one.operation).toMatch(/^sh -c [0-9a-f]{8}$/);
  expect(one.operation).not.toBe(other.operation);
  expect(code("pg_dump a | gzip > /b/a.gz", "-ec").operation).toBe(one.operation);
});

test.each([
  ["restic backup /home /etc /home", "restic_backup /etc,/home → nas:/restic", { RESTIC_REPOSITORY: "nas:/restic" }],
  ["restic -r repo backup .", "restic_backup /here → /here/repo", {}],
  [
    "restic backup --files-from list /etc",
    "restic_backup /etc,@/here/list → sftp:me@nas:/r",
    { RESTIC_REPOSITORY: "sftp:me@nas:/r" },
  ],
  ["restic -r rest:https://me:geheim@nas:8000/r backup /etc", "restic_backup /etc → rest:https://nas:8000/r", {}],
  [
    "restic backup /etc",
    "restic_backup /etc → rest:https://nas/r",
    { RESTIC_REPOSITORY: "rest:https://ge:he/im@nas/r" },
  ],
  [
    "restic -r s3:https://key:geheim@s3.example.com/b backup /etc",
    "restic_backup /etc → s3:https://s3.example.com/b",
    {},
  ],
  ["restic -r rclone::s3,secret_access_key=geheim:b backup /etc", "restic_backup /etc → rclone::s3:b", {}],
  ["restic --repository-file /etc/repo backup /etc", "restic_backup /etc → @/etc/repo", {}],
  ["restic backup --stdin --stdin-filename a.sql", "restic_backup stdin:a.sql → /r", { RESTIC_REPOSITORY: "/r" }],
  ["restic -r /r forget --prune", "restic_forget /r", {}],
  ["restic -r /b copy --from-repo /a", "restic_copy /a → /b", {}],
  ["borg create ssh://me@nas/./r::{now} /etc", "borg_create /etc → ssh://me@nas/./r", {}],
  ["borg create ::etc-2026 /etc", "borg_create /etc → me@nas:r", { BORG_REPO: "me@nas:r" }],
  ["borg -r /r create archive /etc", "borg_create /etc → /r", {}],
  ["borg prune /r", "borg_prune /r", {}],
  ["rclone sync :sftp,pass=geheim,host=nas:/a :s3,secret_access_key=geheim:b", "rclone_sync :sftp:/a → :s3:b", {}],
  ["rclone sync /etc :s3,secret_access_key=ge/heim:b", "rclone_sync /etc → :s3:b", {}],
  ["rclone --s3-secret-access-key geheim sync /etc s3:b", "rclone_sync /etc → s3:b", {}],
  ["mongodump --sslPEMKeyPassword geheim -p geheim -d shop", "mongodump shop", {}],
  ["rsync -a rsync://me:geheim@nas/x /b", "rsync_copy rsync://nas/x → /b", {}],
  ["rsync -a --files-from=list / nas:/b", "rsync_copy /,@/here/list → nas:/b", {}],
  ["pg_dump -t a -t b erp", "pg_dump erp,erp.a,erp.b", {}],
  ["pg_dump -s erp", "pg_dump erp,schema only", {}],
  ["pg_dumpall -g", "pg_dumpall cluster,globals only", {}],
  ["pg_dump postgresql://me:geheim@db1:5433/erp?sslpassword=geheim", "pg_dump erp@db1:5433", {}],
  ["pg_dump erp", "pg_dump erp@db1:5433", { PGHOST: "db1", PGPORT: "5433", PGPASSWORD: "geheim" }],
  ["mongodump --uri=mongodb://u:geheim@db1:27018/shop", "mongodump shop@db1:27018", {}],
  ["tar -czf geheim /srv/geheim1", "tar_create /srv/*** → /here", { X_TOKEN: "geheim1" }],
])("an operation has no credentials: %s", (command, operation, environment) => {
  expect(recognise(command, environment).recognition.operation).toBe(operation);
});

test("an operation is the same on every day: dates, archives and files of one run are not in it", () => {
  const today = new Date().toISOString().slice(0, 10);
  const operations = ["2001-01-01", today].map((date) => [
    recognise(`tar -czf /b/www-${date}.tgz /srv/www`).recognition.operation,
    recognise(`borg create /r::www-${date} /srv/www`).recognition.operation,
    recognise(`pg_dump -f /b/erp-${date}.sql erp`).recognition.operation,
    recognise(`pg_basebackup -D /b/base-${date}`).recognition.operation,
  ]);
  expect(operations[1]).toEqual(operations[0]);
  expect(recognise(`rsync -a /srv/www nas:/b/${today}/`).recognition.operation).toBe("rsync_copy /srv/www → nas:/b/*/");
  expect(recognise(`tar -cf - /dumps/erp-${today}.sql`).recognition).toMatchObject({
    entity: { value: "h1/dumps/erp-*.sql" },
    operation: "tar_create /dumps/erp-*.sql",
  });
  const many = (count: number) =>
    recognise(`tar -cf - ${Array.from({ length: count }, (_, at) => `/logs/${at}.log`).join(" ")} /etc`).recognition;
  expect([many(6).operation, many(900).operation]).toEqual(["tar_create /etc,/logs/*", "tar_create /etc,/logs/*"]);
});

const now = Date.UTC(2026, 10, 18, 12);

test.each([
  ["/b/2026-11-18", "/b/*"],
  ["/b/20261118-030000/x", "/b/*/x"],
  ["/b/x-2026_11_17T02.30.00Z.sql", "/b/x-*.sql"],
  ["/b/18.11.2026", "/b/*"],
  ["/b/2026-11-01", "/b/2026-11-01"],
  ["/photos/2019-11-18", "/photos/2019-11-18"],
  ["/b/120261118", "/b/120261118"],
])("the date of a run: %s", (path, steady) => {
  expect(steadyDates(path, now)).toBe(steady);
});

test.each([
  ["/tmp/tmp.aB3xYz90Qq/erp.sql", "/tmp/tmp.*/erp.sql"],
  ["/tmp/tmpa1b2c3d4/erp.sql", "/tmp/tmp.*/erp.sql"],
  [`/b/x-${now / 1000}`, "/b/x-*"],
  ["/tmp/templates", "/tmp/templates"],
  ["/b/1234567890", "/b/1234567890"],
])("a name that is made up for a run: %s", (path, steady) => {
  expect(steadyPath(path, now)).toBe(steady);
});

test("an operation of more than 200 characters is cut off, and a hash keeps long ones apart", () => {
  const operation = (end: string) => recognise(`restic -r /r backup /${"x".repeat(300)}/${end}`).recognition.operation;
  expect([...operation("a")]).toHaveLength(200);
  expect(operation("a")).toMatch(/^restic_backup \/x+…[0-9a-f]{12}$/);
  expect(operation("a")).not.toBe(operation("b"));
  expect(operation("a")).toBe(operation("a"));
});
