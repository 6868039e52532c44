import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readToken } from "@holdfast/server/access/tokens/token-format";
import { openCommandLine } from "../test/open-command-line";

const root = "00000000-0000-0000-0000-000000000000";
const absent = "11111111-1111-4111-8111-111111111111";
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const { folder, run, runHere, result, inDatabase, remove } = openCommandLine();

afterAll(remove);

async function listed(...args: string[]): Promise<unknown[]> {
  return JSON.parse(await result(...args, "--json"));
}

const countTasks = () =>
  inDatabase((database) =>
    database.snapshot(async (db) => (await db.selectFrom("tasks").select("id").execute()).length),
  );

describe("wrong use ends with exit code 2 and one line that says what to do:", () => {
  const cases: [string, string[], string][] = [
    [
      "no command",
      [],
      "Name a command after holdfast: status, task, monitor, entity, webhook, user, role, unit, token, view, key, audit, login, logout, whoami, profiles, api, discover, explain, run, health, spool, serve, demo, database, completion, man. See: holdfast --help",
    ],
    [
      "half a command",
      ["database"],
      "Name a command after holdfast database: backup, restore, move. See: holdfast database --help",
    ],
    ["an unknown command", ["tokn"], "Unknown command 'tokn'. Did you mean token? See: holdfast --help"],
    [
      "an unknown option",
      ["ou", "list", "--jsn"],
      "Unknown option '--jsn'. Did you mean --json? See: holdfast unit list --help",
    ],
    [
      "a missing option",
      ["ou", "create"],
      "Required option '--name <name>' not specified. See: holdfast unit create --help",
    ],
    ["a missing argument", ["task", "import"], "Missing required argument 'file'. See: holdfast task import --help"],
    [
      "an unknown kind",
      ["token", "create", "--kind", "x", "--name", "a"],
      "Option '--kind <kind>' argument 'x' is invalid. Allowed choices are service, personal. See: holdfast token create --help",
    ],
    [
      "a service token with a user",
      ["token", "create", "--kind", "service", "--name", "a", "--user", absent],
      "A service token has no user: leave --user out, or choose --kind personal. See: holdfast token create --help",
    ],
    [
      "a personal token without one",
      ["token", "create", "--kind", "personal", "--name", "a"],
      "A personal token needs its user: name one with --user. See: holdfast token create --help",
    ],
    [
      "a personal token with a role",
      ["token", "create", "--kind", "personal", "--name", "a", "--user", absent, "--role", "owner"],
      "A personal token has the roles of its user: leave --role out. See: holdfast token create --help",
    ],
    [
      "a life of three years",
      ["token", "create", "--kind", "service", "--name", "a", "--expires", "1095d"],
      "Option '--expires <time>' argument '1095d' is invalid. Write a number and s, m, h or d, such as 30d, and at most two years (730d). See: holdfast token create --help",
    ],
    [
      "an empty name",
      ["ou", "create", "--name", " "],
      "Option '--name <name>' argument ' ' is invalid. It has to be 1 to 200 characters on one line. See: holdfast unit create --help",
    ],
    [
      "an address that is none",
      ["user", "create", "--email", "ada", "--name", "Ada"],
      "Option '--email <address>' argument 'ada' is invalid. Write an address such as ada@example.org. See: holdfast user create --help",
    ],
    [
      "a unit without a role",
      ["user", "create", "--email", "a@b.org", "--name", "Ada", "--ou", root],
      "--unit says where a role is held and needs --role. See: holdfast user create --help",
    ],
    ["a bad setting", ["ou", "list", "--port", "x"], "The setting port has to be a whole number from 0 to 65535."],
  ];
  test.each(cases)("%s", async (_, args, message) => {
    expect(await runHere(args)).toEqual({ stdout: "", stderr: `holdfast: ${message}\n`, exitCode: 2 });
  });
  test("as a process of its own", async () => {
    const [, args = [], message] = cases[0] ?? [];
    expect(await run(args)).toEqual({ stdout: "", stderr: `holdfast: ${message}\n`, exitCode: 2 });
  });
});

describe("what cannot be done ends with exit code 1 and one line that says what to do:", () => {
  const cases: [string, string[], string][] = [
    [
      "an unknown role",
      ["token", "create", "--kind", "service", "--name", "a", "--role", "king"],
      'There is no role "king". Choose one of admin, operator, owner, reporter, viewer.',
    ],
    [
      "a unit that is not there",
      ["ou", "create", "--name", "a", "--parent", absent],
      "You may not change that organizational unit, or it does not exist. Name another one. See: holdfast unit list",
    ],
    [
      "a name that is none",
      ["user", "enable", "7"],
      'There is no user "7", or you may not see it. See: holdfast user list',
    ],
    [
      "a user who is not there",
      ["user", "disable", absent],
      "There is no such user, or you may not see it. See: holdfast user list",
    ],
    [
      "a token that is not there",
      ["token", "revoke", absent],
      "There is no such API token, or you may not see it. See: holdfast token list",
    ],
    [
      "a key that is not there",
      ["key", "retire", "hf-none"],
      "There is no such key, or you may not see it. See: holdfast key list",
    ],
    [
      "a file that is not there",
      ["task", "import", "none.ndjson"],
      "The file none.ndjson cannot be read (ENOENT: no such file or directory, open 'none.ndjson'). Name an NDJSON file, or - for standard input.",
    ],
    [
      "a folder",
      ["task", "import", "."],
      "The file . cannot be read (it is a folder). Name an NDJSON file, or - for standard input.",
    ],
  ];
  test("disabling or demoting the last owner of the root", async () => {
    const own = ["--data-dir", join(folder, "owned")];
    const made = await runHere([
      "user",
      "create",
      "--email",
      "o@example.org",
      "--name",
      "O",
      "--role",
      "owner",
      ...own,
    ]);
    const message = "This is the last owner of the root. Make another user an owner of the root first.";
    const refused = { stdout: "", stderr: `holdfast: ${message}\n`, exitCode: 1 };
    const id = made.stdout.trim();
    expect(await runHere(["user", "disable", id, ...own])).toEqual(refused);
    expect(await runHere(["user", "revoke", id, "--role", "owner", ...own])).toEqual(refused);
  });
  test("another kind of database, as a wrong setting", async () => {
    const message =
      'There is no database at "mysql:x". Write database_url as sqlite:/path/to/file or postgres://user:password@host:5432/name.';
    expect(await runHere(["ou", "list", "--database-url", "mysql:x"])).toEqual({
      stdout: "",
      stderr: `holdfast: ${message}\n`,
      exitCode: 2,
    });
  });
  test.each(cases)("%s", async (_, args, message) => {
    expect(await runHere(args)).toEqual({ stdout: "", stderr: `holdfast: ${message}\n`, exitCode: 1 });
  });
  test("as a process of its own", async () => {
    const [, args = [], message] = cases[0] ?? [];
    expect(await run(args)).toEqual({ stdout: "", stderr: `holdfast: ${message}\n`, exitCode: 1 });
  });
});

describe("settings", () => {
  test("are flags with dashes, and win over the environment", async () => {
    const elsewhere = join(folder, "elsewhere");
    const made = await run(["ou", "create", "--name", "North", "--data-dir", elsewhere]);
    expect(made).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`Made new data: ${elsewhere} with `) });
    expect(statSync(join(elsewhere, "holdfast.db")).mode & 0o777).toBe(0o600);
  });

  test("come from a file, too", async () => {
    writeFileSync(join(folder, "settings.json"), JSON.stringify({ port: -1 }));
    expect((await runHere(["ou", "list", "--config", "settings.json"])).exitCode).toBe(2);
  });

  test("are all listed by serve --help, secrets without a flag", async () => {
    const help = await result("serve", "--help");
    expect(help).toContain("--page-size-maximum <number>");
    expect(help).toContain("HOLDFAST_PAGE_SIZE_MAXIMUM");
    expect(help).toContain("HOLDFAST_SECRET_KEY ");
    expect(help).not.toContain("--secret-key ");
    expect(help).not.toContain("--data_dir");
  });
});

test("the version is printed alone", async () => {
  expect(await result("--version")).toMatch(/^\d+\.\d+\.\d+$/);
});

describe("an organization made on the command line", () => {
  const ids = { berlin: "", lab: "", ada: "" };

  beforeAll(async () => {
    ids.berlin = await result("ou", "create", "--name", "Berlin");
    ids.lab = await result("ou", "create", "--name", "Lab", "--parent", ids.berlin.toUpperCase());
    await result("ou", "create", "--name", "Zagreb");
    ids.ada = await result("user", "create", "--email", "ada@example.org", "--name", "Ada", "--role", "admin");
  });

  test("has units that are drawn as a tree", async () => {
    const lines = (await result("ou", "list")).split("\n").map((line) => line.replace(/ +\S+$/, ""));
    expect(lines).toEqual(["NAME", "Root", "├─ Berlin", "│  └─ Lab", "└─ Zagreb"]);
  });

  test("has units that are listed as JSON, each after the one above it", async () => {
    expect((await listed("ou", "list")).slice(1, 3)).toMatchObject([
      { id: ids.berlin, name: "Berlin", parent_id: root, created_timestamp: expect.stringMatching(/Z$/) },
      { id: ids.lab, name: "Lab", parent_id: ids.berlin, created_timestamp: expect.stringMatching(/Z$/) },
    ]);
  });

  test("has users who count as confirmed, with roles that come and go", async () => {
    expect(ids.ada).toMatch(uuid);
    const ada = {
      id: ids.ada,
      email: "ada@example.org",
      full_name: "Ada",
      is_confirmed: true,
      is_enabled: true,
      roles: [{ role: "admin", role_id: expect.stringMatching(uuid), organizational_unit_id: root }],
      created_timestamp: expect.stringMatching(/Z$/),
      last_activity_timestamp: null,
    };
    expect(await listed("user", "list")).toMatchObject([ada]);
    expect(await result("user", "grant", ids.ada, "--role", "Viewer", "--ou", ids.lab)).toBe("");
    expect(await result("user", "revoke", ids.ada, "--role", "admin")).toBe("");
    expect(await result("user", "disable", ids.ada.toUpperCase())).toBe("");
    const changed = { role: "viewer", role_id: expect.stringMatching(uuid), organizational_unit_id: ids.lab };
    expect(await listed("user", "list")).toMatchObject([{ ...ada, is_enabled: false, roles: [changed] }]);
    expect(await result("user", "list")).toMatch(/^Ada +ada@example\.org +disabled +- +\S+ +viewer in Berlin\/Lab$/m);
    expect(await result("user", "enable", ids.ada)).toBe("");
    expect(await listed("user", "list")).toMatchObject([{ ...ada, roles: [changed] }]);
  });

  test("refuses a second user with the same address, and a role that is not held", async () => {
    expect(await runHere(["user", "create", "--email", "ADA@example.org", "--name", "Eva"])).toEqual({
      stdout: "",
      stderr: "holdfast: There is a user with that address already. Each address can be used once.\n",
      exitCode: 1,
    });
    expect((await runHere(["user", "revoke", ids.ada, "--role", "owner"])).exitCode).toBe(1);
  });

  test("has invitations: a link for an address in any letter case or an id, and one at a time", async () => {
    const first = await result("user", "invite", "ADA@example.org");
    const second = await result("user", "invite", ids.ada, "--base-url", "https://backup.example.org");
    expect(first).toMatch(/^http:\/\/127\.0\.0\.1:8080\/invitation#[\w-]{43}$/);
    expect(second).toMatch(/^https:\/\/backup\.example\.org\/invitation#[\w-]{43}$/);
    const links = await inDatabase((database) =>
      database.snapshot((db) => db.selectFrom("one_time_links").select("user_id").execute()),
    );
    expect(links).toEqual([{ user_id: ids.ada }]);
    expect(await runHere(["user", "invite", "eva@example.org"])).toEqual({
      stdout: "",
      stderr: 'holdfast: There is no user "eva@example.org", or you may not see it. See: holdfast user list\n',
      exitCode: 1,
    });
  });

  test("leaves no user behind whose role could not be given", async () => {
    const { exitCode } = await runHere([
      "user",
      "create",
      "--email",
      "eva@example.org",
      "--name",
      "Eva",
      "--role",
      "king",
    ]);
    expect(exitCode).toBe(1);
    expect(await listed("user", "list")).toHaveLength(1);
  });

  test("has tokens: a service token for a role, a personal one for a user in a unit that it covers", async () => {
    const service = readToken(await result("token", "create", "--kind", "service", "--name", "ci", "--expires", "30d"));
    const personal = readToken(
      await result("token", "create", "--kind", "personal", "--name", "laptop", "--user", ids.ada, "--ou", ids.lab),
    );
    expect(service?.claims).toMatchObject({ kind: "service", ou: root, iss: "http://127.0.0.1:8080" });
    expect(personal?.claims).toMatchObject({ kind: "personal", ou: ids.lab, sub: ids.ada });
    expect((service?.claims.exp ?? 0) - (service?.claims.iat ?? 0)).toBe(30 * 86_400);
    expect((personal?.claims.exp ?? 0) - (personal?.claims.iat ?? 0)).toBe(90 * 86_400);
    expect((await runHere(["token", "create", "--kind", "personal", "--name", "a", "--user", ids.ada])).exitCode).toBe(
      1,
    );

    const revoke = () => runHere(["token", "revoke", service?.claims.jti ?? ""]);
    const revoked = await revoke();
    const [, moment] = /^The token ci is revoked: it is refused from (\S+Z) on\.\n$/.exec(revoked.stderr) ?? [];
    expect(revoked).toEqual({ stdout: "", stderr: expect.stringContaining(`${moment}`), exitCode: 0 });
    const again = `The token ci was revoked before: it is refused from ${moment} on.\n`;
    expect(await revoke()).toEqual({ stdout: "", stderr: again, exitCode: 0 });
    await result("user", "disable", ids.ada);
    const common = {
      created_by: null,
      created_timestamp: expect.stringMatching(/Z$/),
      expires_timestamp: expect.stringMatching(/Z$/),
      last_used_timestamp: null,
    };
    expect(await listed("token", "list")).toMatchObject([
      {
        ...common,
        id: personal?.claims.jti,
        name: "laptop",
        kind: "personal",
        organizational_unit_id: ids.lab,
        role: null,
        user_id: ids.ada,
        revoked_timestamp: null,
        state: "asleep",
      },
      {
        ...common,
        id: service?.claims.jti,
        name: "ci",
        kind: "service",
        organizational_unit_id: root,
        role: "viewer",
        user_id: null,
        revoked_timestamp: moment,
        state: "revoked",
      },
    ]);
    expect(await result("token", "list")).toMatch(/^laptop +personal +Berlin\/Lab +- .* asleep /m);
  });

  test("has tokens for the base URL that is set", async () => {
    const token = await result(
      ...["token", "create", "--kind", "service", "--name", "x", "--base-url", "https://backup.example.org/"],
    );
    expect(readToken(token)?.claims.iss).toBe("https://backup.example.org");
  });

  test("marks tokens as invalid that were issued for an address that is no longer the service's, and says what to do", async () => {
    const old = "https://old.example.org";
    await result("token", "create", "--kind", "service", "--name", "moved", "--base-url", old);
    const list = (...more: string[]) => runHere(["token", "list", "--search", "moved", ...more]);
    const now = ["--base-url", "https://new.example.org"];
    const invalid = await list(...now);
    expect(invalid.stdout).toMatch(/^moved .* invalid /m);
    expect(invalid.stderr).toBe(
      `Tokens marked invalid were issued for ${old}, which is no address of the service any more. If it was one before, name it in the setting base_url_aliases; else create new tokens and revoke these.\n`,
    );
    const valid = await list(...now, "--base-url-aliases", `${old}/`);
    expect([valid.stdout, valid.stderr]).toEqual([expect.stringMatching(/^moved .* active /m), ""]);
  });

  test("has a signing key that can be replaced, the old one kept while its tokens live", async () => {
    const [old] = await listed("key", "list");
    const kid = await result("key", "rotate");
    expect(kid).toMatch(/^hf-/);
    expect(await listed("key", "list")).toMatchObject([
      { kid, is_signing: true, replaced_timestamp: null, expires_timestamp: null, public_key: { kid, crv: "Ed25519" } },
      {
        ...Object(old),
        is_signing: false,
        replaced_timestamp: expect.stringMatching(/Z$/),
        expires_timestamp: expect.stringMatching(/Z$/),
      },
    ]);
  });
});

describe("task import", () => {
  const good = '{"category":"backup","type":"restic_backup","status":"completed"}';
  const named = '{"id":"nightly-1","category":"backup","type":"borg_create","status":"aborted"}';

  test("prints how many tasks it imported, from standard input, blank lines left out", async () => {
    const before = await countTasks();
    expect(await run(["task", "import", "-"], { input: `${good}\n\n  \r\n${good}\r\n${named}` })).toEqual({
      stdout: "3\n",
      stderr: "",
      exitCode: 0,
    });
    expect(await countTasks()).toBe(before + 3);
  });

  test("imports nothing of a file with bad lines, and names each of them", async () => {
    const before = await countTasks();
    writeFileSync(
      join(folder, "bad.ndjson"),
      [good, "{", named, "", '{"status":"queued","type":"a","category":"x"}', good].join("\n"),
    );
    expect(await runHere(["task", "import", "bad.ndjson"])).toEqual({
      stdout: "",
      stderr: [
        "line 2: this is not JSON: write one task as one JSON object on one line",
        'line 3: there is a task with the id "nightly-1" already',
        "line 5: category has to be one of backup, restore, snapshot, snapshot_restore, system, report_generation, management",
        "holdfast: Nothing was imported, because 3 lines are bad. Correct the file, or import the rest with --skip-bad.",
        "",
      ].join("\n"),
      exitCode: 1,
    });
    expect(await countTasks()).toBe(before);
  });

  test("imports the good lines with --skip-bad", async () => {
    const before = await countTasks();
    expect(await run(["task", "import", "--skip-bad", "-"], { input: `${good}\nx\n${good}\n` })).toEqual({
      stdout: "2\n",
      stderr: "line 2: this is not JSON: write one task as one JSON object on one line\nImported 2 and skipped 1.\n",
      exitCode: 0,
    });
    expect(await countTasks()).toBe(before + 2);
  });

  test("finds an id that is twice in a file, however far apart", async () => {
    const input = [named.replace("nightly-1", "twice"), ...Array(3000).fill(good), named.replace("nightly-1", "twice")];
    expect(await run(["task", "import", "-"], { input: input.join("\n") })).toEqual({
      stdout: "",
      stderr:
        'line 3002: there is a task with the id "twice" already\n' +
        "holdfast: Nothing was imported, because 1 line is bad. Correct the file, or import the rest with --skip-bad.\n",
      exitCode: 1,
    });
  });

  test("names a hundred bad lines and counts the rest", async () => {
    const { stderr } = await run(["task", "import", "-"], { input: "x\n".repeat(103) });
    expect(stderr.split("\n").slice(99)).toEqual([
      "line 100: this is not JSON: write one task as one JSON object on one line",
      "and 3 more bad lines",
      "holdfast: Nothing was imported, because 103 lines are bad. Correct the file, or import the rest with --skip-bad.",
      "",
    ]);
  });
});

describe("task prune", () => {
  const task = (id: string, created: string, status: string) =>
    JSON.stringify({ id, category: "backup", type: "borg_create", status, created_timestamp: created });

  test("removes months that are old enough, prints how many tasks that were, and names what it kept", async () => {
    const before = await countTasks();
    const input = [
      task("prune-1", "2001-01-01T00:00:00Z", "completed"),
      task("prune-2", "2001-01-31T23:59:59Z", "aborted"),
      task("prune-3", "2001-02-01T00:00:00Z", "completed"),
      task("prune-4", "2001-02-02T00:00:00Z", "in_progress"),
    ].join("\n");
    await run(["task", "import", "-"], { input });
    const prune = (...more: string[]) => runHere(["task", "prune", "--older-than-days", "365", ...more]);
    expect(await prune("--dry-run")).toEqual({
      stdout: "2\n",
      stderr: "Would remove 2001-01, with 2 tasks.\nWould keep 2001-02, because 1 of its tasks is not finished.\n",
      exitCode: 0,
    });
    expect(await countTasks()).toBe(before + 4);
    expect(await prune()).toEqual({
      stdout: "2\n",
      stderr: "Removed 2001-01, with 2 tasks.\nKept 2001-02, because 1 of its tasks is not finished.\n",
      exitCode: 0,
    });
    expect(await countTasks()).toBe(before + 2);
  });

  test("refuses a number of days that would remove everything", async () => {
    expect(await runHere(["task", "prune", "--older-than-days", "0"])).toEqual({
      stdout: "",
      stderr:
        "holdfast: Option '--older-than-days <number>' argument '0' is invalid. Write a whole number from 1 to 36500. See: holdfast task prune --help\n",
      exitCode: 2,
    });
  });
});
