import { expect, test } from "bun:test";
import { addFlags } from "./add-flags";
import { engineNames } from "./engine-names";
import { engines } from "./index";
import { recogniseCommand } from "./recognise";

function recognise(command: string, environment: Record<string, string> = {}) {
  return recogniseCommand({ argv: command.split(" "), environment, host: "h1", folder: "/here" });
}

test.each([
  ["restic -r /r backup /home", "restic", "backup restic_backup host h1"],
  ["restic backup --host web /home", "restic", "backup restic_backup host web"],
  ["restic copy --from-repo x", "restic", "backup restic_copy host h1"],
  ["restic restore latest --target /", "restic", "restore restic_restore host h1"],
  ["restic dump latest /x", "restic", "restore restic_dump host h1 data"],
  ["/usr/local/bin/restic -o s3.connections=2 forget --prune", "restic", "system restic_forget host h1"],
  ["borg --lock-wait 5 create r::a /home", "borg", "backup borg_create host h1"],
  ["borg export-tar r::a -", "borg", "restore borg_export_tar host h1 data"],
  ["borg prune r", "borg", "system borg_prune host h1"],
  ["pgbackrest --stanza=main --type=full backup", "pgbackrest", "backup pgbackrest_full_backup database h1/main"],
  [
    "pgbackrest --stanza main backup --type diff",
    "pgbackrest",
    "backup pgbackrest_differential_backup database h1/main",
  ],
  ["pgbackrest --stanza=main backup", "pgbackrest", "backup pgbackrest_incremental_backup database h1/main"],
  ["pgbackrest --stanza=main restore", "pgbackrest", "restore pgbackrest_restore database h1/main"],
  ["pgbackrest stanza-create --stanza=main", "pgbackrest", "system pgbackrest_stanza_create database h1/main"],
  ["rclone sync /home s3:bucket/x", "rclone", "backup rclone_sync folder h1/home"],
  ["rclone copy s3:bucket/x /home", "rclone", "restore rclone_copy remote s3:bucket/x"],
  ["rclone moveto a:x b:y", "rclone", "backup rclone_move remote a:x"],
  ["rclone copy :s3,secret_access_key=abc:bucket s3:x", "rclone", "backup rclone_copy remote :s3:bucket"],
  ["rclone copy :local:/home s3:x", "rclone", "backup rclone_copy folder h1/home"],
  ["rclone lsd s3:", "rclone", "system rclone_lsd remote s3:"],
  ["pg_dump erp", "postgres", "backup pg_dump database h1/erp data"],
  ["pg_dump -h db1 -f x.sql -d erp", "postgres", "backup pg_dump database erp@db1"],
  ["pg_dump -Fc -c postgres://u:p@db2:5433/erp?sslmode=require", "postgres", "backup pg_dump database erp@db2 data"],
  ["pg_dumpall -h /run/postgresql", "postgres", "backup pg_dumpall database h1/cluster data"],
  ["pg_restore -d erp x.dump", "postgres", "restore pg_restore database h1/erp"],
  ["pg_basebackup -h db1 -D /b", "postgres", "backup pg_basebackup database cluster@db1"],
  ["pg_basebackup -Ft -D -", "postgres", "backup pg_basebackup database h1/cluster data"],
  ["rsync -a --exclude x /home/ nas:/b", "rsync", "backup rsync_copy folder h1/home"],
  ["tar czf x.tgz /home", "tar", "backup tar_create folder h1/home"],
  ["tar -cz -C /srv .", "tar", "backup tar_create folder h1/srv data"],
  ["tar xf x.tgz -C /restore", "tar", "restore tar_extract folder h1/restore"],
  ["tar --create --file=- /home", "tar", "backup tar_create folder h1/home data"],
  ["borgmatic", "borgmatic", "backup borgmatic_create host h1"],
  ["borgmatic -v 1 prune", "borgmatic", "system borgmatic_prune host h1"],
  ["kopia snapshot create /home", "kopia", "backup kopia_snapshot host h1"],
  ["kopia restore abc /x", "kopia", "restore kopia_restore host h1"],
  ["./backup.sh /home", "other", "backup command_run script h1/backup.sh"],
  ["mysqldump --databases shop erp", "other", "backup mysqldump database h1/shop data"],
  ["mysqldump -h db1 -uroot -phost shop", "other", "backup mysqldump database shop@db1 data"],
  ["mariadb-dump -A -r /b/x.sql", "other", "backup mariadb_dump database h1/all"],
  ["mongodump --uri=mongodb://u:p@db1:27017/shop --archive", "other", "backup mongodump database shop@db1 data"],
  ["mongodump -d shop -o /b", "other", "backup mongodump database h1/shop"],
])("recognises %s", (command, engine, expected) => {
  const found = recognise(command);
  const { category, type, entity, stdoutIsData } = found.recognition;
  const said = [category, type, entity.type, entity.value, ...(stdoutIsData ? ["data"] : [])].join(" ");
  expect([String(found.engine.name), said]).toEqual([engine, expected]);
});

test("no argument makes a report that would be refused, and no password gets into one", () => {
  const argv = (...all: string[]) =>
    recogniseCommand({ argv: all, environment: { X_TOKEN: "geheim1" }, host: "h1", folder: "/here" }).recognition;
  expect(argv("rsync", "rsync://me:secret@nas/x", "y").entity.value).toBe("rsync://***@nas/x");
  expect(argv("rsync", "/srv/geheim1\n/x", "y").entity.value).toBe("h1/srv/*** /x");
  expect(argv("\n").entity.value).toBe("h1/");
  const [one = "", other = ""] = ["1", "2"].map((end) => argv("rsync", "x".repeat(5000) + end, "y").entity.value);
  expect([one.length, other.length, one === other]).toEqual([1024, 1024, false]);
  expect(argv("restic", "a b\n$(c)").type).toBe("restic_a_b_c_");
  expect(argv("restic", "x".repeat(5000)).type).toHaveLength(128);
});

test("variables name what the arguments leave out", () => {
  expect(recognise("restic backup /", { RESTIC_HOST: "web" }).recognition.entity.value).toBe("web");
  expect(recognise("env RESTIC_HOST=web restic backup /").recognition.entity.value).toBe("web");
  const stanza = recognise("pgbackrest backup", { PGBACKREST_STANZA: "main", PGBACKREST_TYPE: "full" }).recognition;
  expect([stanza.type, stanza.entity.value]).toEqual(["pgbackrest_full_backup", "h1/main"]);
  expect(recognise("pg_dump", { PGDATABASE: "erp", PGHOST: "db1" }).recognition.entity.value).toBe("erp@db1");
});

test.each([
  ["sudo -u backup -n restic backup /", 4],
  ["sudo -nE RESTIC_HOST=x restic backup /", 3],
  ["doas -u backup restic backup /", 3],
  ["nice -n 19 ionice -c 3 restic backup /", 6],
  ["nice -19 restic backup /", 2],
  ["nice --adjustment=5 restic backup /", 2],
  ["ionice -c2 -n7 restic backup /", 3],
  ["chrt -b 0 restic backup /", 3],
  ["env -i -u HOME A=b restic backup /", 5],
  ["timeout -k 10 --signal=INT 2h restic backup /", 5],
  ["nohup setsid -w restic backup /", 3],
  ["stdbuf -oL restic backup /", 2],
  ["time -p restic backup /", 2],
  ["flock -n -E 75 /run/lock/x restic backup /", 5],
  ["sudo -- restic backup /", 2],
  ["/usr/bin/sudo /usr/bin/nice /opt/restic backup /", 2],
])("looks through %s", (command, at) => {
  const found = recognise(command);
  expect([found.engine.name, found.argumentsAt]).toEqual(["restic", at + 1]);
});

test.each([
  "sudo --nosuch restic backup /",
  "nice -x restic backup /",
  "timeout --nosuch=1 2h restic backup /",
  "flock /run/lock/x -c restic",
  "sh -c restic",
  "bash backup.sh restic",
  "sudo",
])("does not look into %s", (command) => {
  expect([recognise(command).engine.name, recognise(command).argumentsAt]).toEqual(["other", undefined]);
});

test("--engine says what is in a script: its output is read, and nothing is added", () => {
  const found = recogniseCommand({
    argv: ["sh", "backup.sh"],
    environment: {},
    host: "h1",
    folder: "/here",
    engine: "restic",
  });
  expect(found.engine.name).toBe("restic");
  expect(found.recognition).toEqual({
    category: "backup",
    type: "restic_run",
    entity: { type: "host", value: "h1" },
    operation: "restic_run backup.sh",
    stdoutIsData: false,
    politeSignal: "SIGINT",
  });
  const added = addFlags(found, { progress: "on", version: [0, 17, 0], stdin: "null", stdout: "null" });
  expect(added).toEqual({ argv: ["sh", "backup.sh"], environment: {}, hasAdditions: false });
  const named = recogniseCommand({
    argv: ["restic", "backup", "/"],
    environment: {},
    host: "h1",
    folder: "/here",
    engine: "restic",
  });
  expect([named.recognition.type, named.argumentsAt]).toEqual(["restic_backup", undefined]);
  const none = recogniseCommand({
    argv: ["restic", "backup", "/"],
    environment: {},
    host: "h1",
    folder: "/here",
    engine: "none",
  });
  expect(none.engine.name).toBe("other");
});

test("every engine is in the table under its own name, and no program belongs to two", () => {
  expect(Object.entries(engines).map(([key, { name }]) => [key, name])).toEqual(
    engineNames.map((name) => [name, name]),
  );
  const programs = Object.values(engines).flatMap((engine) => engine.programs);
  expect(programs).toEqual([...new Set(programs)]);
});
