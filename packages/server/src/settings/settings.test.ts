import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { makeFolder } from "../../test/harness";
import { settingDeclarations, settingNames } from "./declarations";
import {
  defaultBaseUrl,
  defaultSettingsFile,
  type RawSettings,
  readSettings,
  readSettingsFile,
  requireBaseUrl,
} from "./settings";

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

function fromFlags(flags: RawSettings) {
  return readSettings({ flags, environment: {}, file: null });
}

function writeFile(text: string): string {
  const path = join(folder, "settings.json");
  writeFileSync(path, text);
  return path;
}

test("without any setting the service is for this machine alone, with its data in ./data", () => {
  expect(fromFlags({})).toEqual({
    host: "127.0.0.1",
    port: 8080,
    processes: 1,
    data_dir: resolve("data"),
    database_url: `sqlite:${resolve("data")}/holdfast.db`,
    upgrade_backup: true,
    database_connections: 10,
    database_timeout: 5,
    task_retention_days: 0,
    stale_after_days: 7,
    task_log_limit: 1_048_576,
    log_retention_days: 30,
    log_retention_days_failed: 180,
    watch_limit: 2_000,
    token_limit: 1_000,
    metrics_monitor_limit: 200,
    base_url: undefined,
    base_url_aliases: [],
    token_renewal_days: 730,
    vendor: "svc",
    underscore_links: false,
    rate_limit: 500,
    page_size_default: 100,
    page_size_maximum: 1000,
    sibling_regions: [],
    allowed_hosts: [],
    metrics_token: undefined,
    metrics_listen: undefined,
    trusted_proxies: [],
    session_idle_minutes: 720,
    session_hours: 168,
    oidc_issuer: undefined,
    oidc_client_id: undefined,
    oidc_client_secret: undefined,
    oidc_name: undefined,
    oidc_scopes: "openid email profile",
    oidc_groups_claim: "groups",
    oidc_group_roles: [],
    smtp_url: undefined,
    mail_from: undefined,
    webhook_allowed_targets: [],
    secret_key: undefined,
    secret_key_file: undefined,
    drain_seconds: 2,
    log_level: "info",
  });
});

test("a flag wins over the environment, and that over the file", () => {
  const file = writeFile(
    '{"port": 1, "vendor": "file", "rate_limit": 5, "sibling_regions": ["https://a.example", "https://b.example"]}',
  );
  const environment = { HOLDFAST_PORT: "2", HOLDFAST_VENDOR: "environment", HOLDFAST_LOG_LEVEL: "", PORT: "9" };
  const settings = readSettings({ flags: { port: "3" }, environment, file });
  expect(settings).toMatchObject({
    port: 3,
    vendor: "environment",
    rate_limit: 5,
    log_level: "info",
    sibling_regions: ["https://a.example", "https://b.example"],
  });
});

test("the file can say which roles groups have as an object", () => {
  const file = writeFile('{"oidc_group_roles": {"cn=ops,dc=example": ["operator"]}}');
  expect(readSettings({ flags: {}, environment: {}, file }).oidc_group_roles).toEqual([
    { group: "cn=ops,dc=example", role: "operator", unitId: "00000000-0000-0000-0000-000000000000" },
  ]);
});

test("the environment can name the file", () => {
  const file = writeFile('{"port": 4321}');
  expect(readSettings({ flags: {}, environment: { HOLDFAST_CONFIG: file } }).port).toBe(4321);
});

test("every setting has a name in the environment and is described", () => {
  const environment = Object.fromEntries(settingNames.map((name) => [`HOLDFAST_${name.toUpperCase()}`, "!/ x"]));
  expect(() => readSettings({ flags: {}, environment, file: null })).toThrow("The setting host has to be");
  expect(settingNames.filter((name) => settingDeclarations[name].description === "")).toEqual([]);
});

const address = "an address such as https://backup.example.org";
const sender = "an address such as holdfast@example.org or Holdfast <holdfast@example.org>";
const wrong: [RawSettings, string][] = [
  [{ host: "a b" }, "The setting host has to be an address such as 127.0.0.1."],
  [{ port: "65536" }, "The setting port has to be a whole number from 0 to 65535."],
  [{ port: "80a" }, "The setting port has to be a whole number from 0 to 65535."],
  [{ port: "" }, "The setting port has to be a whole number from 0 to 65535."],
  [{ processes: "0" }, "The setting processes has to be a whole number from 1 to 64."],
  [{ data_dir: "" }, "The setting data_dir has to be a folder."],
  [{ base_url: "nonsense" }, `The setting base_url has to be ${address}.`],
  [{ base_url: "ftp://example.org" }, `The setting base_url has to be ${address}.`],
  [{ base_url: "https://example.org/?a=b" }, `The setting base_url has to be ${address}.`],
  [{ base_url: "https://user@example.org" }, `The setting base_url has to be ${address}.`],
  [{ sibling_regions: "https://a.example,b" }, `The setting sibling_regions has to be ${address}.`],
  [{ vendor: "Acme Inc" }, "The setting vendor has to be a word of lower-case letters and digits, such as svc."],
  [{ underscore_links: "yes" }, "The setting underscore_links has to be true or false."],
  [{ rate_limit: "-1" }, "The setting rate_limit has to be a whole number from 0 to 1000000."],
  [{ page_size_default: "0" }, "The setting page_size_default has to be a whole number from 1 to 10000."],
  [{ page_size_maximum: "1e3" }, "The setting page_size_maximum has to be a whole number from 1 to 10000."],
  [
    { page_size_default: "20", page_size_maximum: "10" },
    "The setting page_size_default has to be at most page_size_maximum.",
  ],
  ...["host", "127.0.0.1:", ":9464", "127.0.0.1:65536", "::1:9464", "http://127.0.0.1:9464"].map(
    (metrics_listen): [RawSettings, string] => [
      { metrics_listen },
      "The setting metrics_listen has to be an address and a port, such as 127.0.0.1:9464.",
    ],
  ),
  [{ allowed_hosts: "a b" }, "The setting allowed_hosts has to be host names with commas."],
  [
    { trusted_proxies: "10.0.0.1,proxy" },
    "The setting trusted_proxies has to be addresses or networks, such as 10.0.0.1,10.1.0.0/16.",
  ],
  [{ session_idle_minutes: "4" }, "The setting session_idle_minutes has to be a whole number from 5 to 525600."],
  [{ session_hours: "0" }, "The setting session_hours has to be a whole number from 1 to 8760."],
  [
    { oidc_issuer: "http://login.example.org", oidc_client_id: "holdfast" },
    "The setting oidc_issuer has to be an address such as https://login.example.org.",
  ],
  [
    { oidc_issuer: "https://login.example.org" },
    "The setting oidc_client_id has to be given with oidc_issuer: the provider knows us by it.",
  ],
  [{ oidc_name: "Staff\nlogin" }, "The setting oidc_name has to be a name on one line, of at most 100 characters."],
  [
    { oidc_scopes: "email profile" },
    "The setting oidc_scopes has to be words with openid among them, such as openid email profile.",
  ],
  [
    { oidc_group_roles: "admins" },
    "The setting oidc_group_roles has to be pairs such as backup-admins=admin, auditors=viewer@<unit id>, or the same as JSON.",
  ],
  [
    { smtp_url: "mail.example.org" },
    "The setting smtp_url has to be an address such as smtps://user:password@mail.example.org.",
  ],
  [
    { smtp_url: "https://mail.example.org" },
    "The setting smtp_url has to be an address such as smtps://user:password@mail.example.org.",
  ],
  [
    { smtp_url: "smtp://mail.example.org" },
    "The setting mail_from has to be given with smtp_url: mail needs an address to come from.",
  ],
  [{ mail_from: "Holdfast" }, `The setting mail_from has to be ${sender}.`],
  [{ mail_from: "Holdfast <a@example.org> <b@example.org>" }, `The setting mail_from has to be ${sender}.`],
  [{ mail_from: "a@example.org\nBcc: b@example.org" }, `The setting mail_from has to be ${sender}.`],
  [{ drain_seconds: "301" }, "The setting drain_seconds has to be a whole number from 0 to 300."],
  [{ log_level: "loud" }, "The setting log_level has to be one of debug, info, warn, error, silent."],
];

for (const [flags, message] of wrong) {
  test(`${JSON.stringify(flags)} names itself and says what to write`, () => {
    expect(() => fromFlags(flags)).toThrow(new Error(message));
  });
}

test("several wrong settings are told at once", () => {
  expect(() => fromFlags({ port: "x", log_level: "x" })).toThrow(
    "The setting port has to be a whole number from 0 to 65535. The setting log_level has to be one of debug, info, warn, error, silent.",
  );
});

test("a file that is missing, broken or has an unknown setting is told by name", () => {
  const missing = join(folder, "missing.json");
  expect(() => readSettings({ flags: {}, environment: {}, file: missing })).toThrow(
    `The settings file ${missing} cannot be read. Write one JSON object, such as {"port": 8080}.`,
  );
  for (const text of ["", "port: 8080", "[]", "null", "8080"]) {
    const file = writeFile(text);
    expect(() => readSettings({ flags: {}, environment: {}, file })).toThrow(
      `The settings file ${file} has to be one JSON object, such as {"port": 8080}.`,
    );
  }
  const broken = writeFile('{\n  "port": 8080\n  "host": "localhost"\n}\n');
  expect(() => readSettings({ flags: {}, environment: {}, file: broken })).toThrow(
    `The settings file ${broken} is no JSON from line 3, column 3 on: there has to be a comma or a closing brace.`,
  );
  for (const name of ["prot", "__proto__", "constructor"]) {
    const file = writeFile(`{"${name}": 8080}`);
    expect(() => readSettings({ flags: {}, environment: {}, file })).toThrow(
      `The settings file ${file} has an unknown setting ${JSON.stringify(name)}. Known are host, port,`,
    );
  }
});

test("a file may begin with a byte order mark, which some editors write", () => {
  expect(readSettings({ flags: {}, environment: {}, file: writeFile('\uFEFF{"port": 9090}') }).port).toBe(9090);
});

test("an address is kept without the slash at its end, and an empty one is none", () => {
  expect(fromFlags({ base_url: "https://backup.example.org/" }).base_url).toBe("https://backup.example.org");
  expect(fromFlags({ base_url: "https://example.org/backup//" }).base_url).toBe("https://example.org/backup");
  expect(fromFlags({ base_url: "" }).base_url).toBeUndefined();
});

test("mail comes from an address, with or without a name", () => {
  const smtp_url = "smtp://mail.example.org:2525";
  for (const mail_from of ["holdfast@example.org", "Holdfast <holdfast@example.org>", "<holdfast@example.org>"]) {
    expect(fromFlags({ smtp_url, mail_from })).toMatchObject({ smtp_url, mail_from });
  }
});

test("metrics are served where metrics_listen says, by default on this machine alone", () => {
  const addresses = ["", "9464", "127.0.0.1:9464", "0.0.0.0:0", "[::1]:9464", "localhost:9464"];
  expect(addresses.map((metrics_listen) => fromFlags({ metrics_listen }).metrics_listen)).toEqual([
    undefined,
    { host: "127.0.0.1", port: 9464 },
    { host: "127.0.0.1", port: 9464 },
    { host: "0.0.0.0", port: 0 },
    { host: "[::1]", port: 9464 },
    { host: "localhost", port: 9464 },
  ]);
});

test("lists may have spaces and empty parts", () => {
  expect(fromFlags({ allowed_hosts: " a.example , ,b.example," }).allowed_hosts).toEqual(["a.example", "b.example"]);
});

test("the address of a service that was told none follows from where it listens", () => {
  expect([defaultBaseUrl("127.0.0.1", 8080), defaultBaseUrl("::1", 8080), defaultBaseUrl("localhost", 80)]).toEqual([
    "http://127.0.0.1:8080",
    "http://[::1]:8080",
    "http://localhost",
  ]);
});

test("a service that listens on all addresses needs to know by which one it is called", () => {
  for (const host of ["0.0.0.0", "::", "[::]", "0"]) {
    expect(() => requireBaseUrl(fromFlags({ host }))).toThrow(
      `The host ${host} is all addresses of this machine, and links and tokens need the one that other hosts use. Set base_url (HOLDFAST_BASE_URL) to it: that of a proxy with TLS, such as https://backup.example.org, or without one --base-url http://${hostname()}:8080 if other hosts know this machine by that name.`,
    );
    expect(() => defaultBaseUrl(host, 8080)).toThrow("Set base_url");
    requireBaseUrl(fromFlags({ host, base_url: "https://backup.example.org" }));
  }
  requireBaseUrl(fromFlags({}));
});

test("all addresses of a machine are no base URL, but can have been one", () => {
  for (const base_url of ["http://0.0.0.0:8080", "http://[::]", "http://0:8080"]) {
    expect(() => fromFlags({ base_url })).toThrow(
      "The setting base_url has to be an address that other hosts can call, such as https://backup.example.org: 0.0.0.0 is all addresses of a machine.",
    );
  }
  expect(fromFlags({ base_url_aliases: "http://0.0.0.0:8080" }).base_url_aliases).toEqual(["http://0.0.0.0:8080"]);
});

test("where no file is named and the folder has none, the executable reads that of the machine", () => {
  const ofMachine = join(folder, "of-the-machine.json");
  expect(readSettingsFile(undefined, ofMachine)).toEqual({});
  writeFileSync(ofMachine, '{"port": 9191}');
  expect(defaultSettingsFile(ofMachine)).toBe(ofMachine);
  expect(readSettingsFile(undefined, ofMachine)).toEqual({ port: "9191" });
  expect(readSettingsFile(null, ofMachine)).toEqual({});
  // From sources there is none.
  expect(defaultSettingsFile()).toBe("holdfast.json");
});

test("settings of the machine that this user may not read are not passed over in silence", () => {
  expect(() => readSettingsFile(undefined, folder)).toThrow(`This user may not read ${folder}`);
});
