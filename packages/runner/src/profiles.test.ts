import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { profilesPath } from "./profiles";
import { parseRunOptions } from "./run/run-options";

const home = mkdtempSync(join(tmpdir(), "holdfast-profiles-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const lab = { url: "https://lab.example.org", token: "lab-token" };
const work = { url: "https://work.example.org", token: "work-token" };
const path = profilesPath({ HOME: home });
mkdirSync(join(home, ".config/holdfast"), { recursive: true });

function store(text: string, mode = 0o600) {
  writeFileSync(path, text);
  chmodSync(path, mode);
}

const found = (environment: Record<string, string>, ...flags: string[]) => {
  const options = parseRunOptions([...flags, "--", "true"], { HOME: home, ...environment });
  return [options?.token, options?.url];
};

test("a run is reported with the profile where no token is given, and its token goes to its own address alone", () => {
  store(JSON.stringify({ current: "lab", profiles: { lab, work } }));
  expect(found({})).toEqual([lab.token, lab.url]);
  expect(found({ HOLDFAST_PROFILE: "work" })).toEqual([work.token, work.url]);
  expect(found({ HOLDFAST_URL: `${work.url}/` })).toEqual([work.token, work.url]);
  expect(found({}, "--url", "https://other.example.org")).toEqual([undefined, "https://other.example.org"]);
  expect(found({ HOLDFAST_PROFILE: "lab", HOLDFAST_URL: work.url })).toEqual([undefined, work.url]);
  expect(found({ HOLDFAST_TOKEN: "own" })).toEqual(["own", undefined]);
});

test.each([
  ["others can read", JSON.stringify({ current: "lab", profiles: { lab } }), 0o644],
  ["is broken", "{", 0o600],
  ["has no token", JSON.stringify({ current: "lab", profiles: { lab: { url: lab.url } } }), 0o600],
  ["has no such profile", JSON.stringify({ current: "lab", profiles: {} }), 0o600],
])("a file of profiles that %s does not count, and the run is not refused", (_, text, mode) => {
  store(text, mode);
  expect(found({})).toEqual([undefined, undefined]);
});
