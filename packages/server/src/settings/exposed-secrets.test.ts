import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../test/harness";
import { findExposedSecrets } from "./exposed-secrets";

let folder: string;
let path: string;
beforeEach(() => {
  folder = makeFolder();
  path = join(folder, "holdfast.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

function exposedIn(settings: unknown, mode = 0o644) {
  writeFileSync(path, JSON.stringify(settings));
  chmodSync(path, mode);
  return findExposedSecrets(path);
}

test("a settings file with secrets that others can read is told of, with the command that mends it", () => {
  const settings = {
    port: 9090,
    database_url: "postgres://me:hush@db/holdfast",
    smtp_url: "smtps://me:hush@mail.example.org",
    metrics_token: "hush",
  };
  const told = {
    message: "The settings file holds secrets (database_url, metrics_token, smtp_url) and is readable by others.",
    remedy: `Run: chmod 600 ${path}`,
  };
  expect([0o644, 0o640, 0o604].map((mode) => exposedIn(settings, mode))).toEqual([told, told, told]);
  expect([0o600, 0o400].map((mode) => exposedIn(settings, mode))).toEqual([undefined, undefined]);
});

test("a settings file without a secret may be read by everyone, and there need not be one", () => {
  const harmless = ["postgres://me@db:5432/holdfast", "postgres://db/holdfast?user=me", "sqlite:/a:b@c", ""];
  expect(harmless.map((database_url) => exposedIn({ database_url, metrics_token: "" }))).toEqual(
    harmless.map(() => undefined),
  );
  expect(exposedIn({ base_url: "https://backup.example.org:8443" })).toBeUndefined();
  expect(findExposedSecrets(join(folder, "missing.json"))).toBeUndefined();
});
