import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type HeldDatabase, holdDatabase, openByUrl } from "../../test/folder-database";
import { makeFolder } from "../../test/harness";
import { notedBaseUrl } from "../access/tokens/noted-base-url";
import type { Database } from "../database/database";
import { noteBaseUrl, openInstallation, prepareInstallation } from "./installation";

const secret = new TextEncoder().encode("correct horse battery staple, and then some");
let folder: string;
let held: HeldDatabase;
let database: Database;
beforeEach(async () => {
  folder = makeFolder();
  held = await holdDatabase(folder);
  database = await openByUrl(held.url);
});
afterEach(async () => {
  await database.close();
  await held.release();
  rmSync(folder, { recursive: true });
});

test("a base URL that was set stays, whatever a node without one would note", async () => {
  const { sealer } = await prepareInstallation(database, secret, 1);
  const note = async (baseUrl: string, isSet: boolean) => {
    const changed = await noteBaseUrl({ database, sealer }, { baseUrl, isSet, aliases: [] }, 1);
    expect(await database.snapshot(notedBaseUrl)).toBe(changed.noted);
    return changed;
  };
  const [first, second] = ["http://127.0.0.1:8080", "http://127.0.0.1:8081"];
  expect(await note(first, false)).toEqual({ before: undefined, noted: first });
  expect(await note(second, false)).toEqual({ before: first, noted: second });
  expect(await note(second, true)).toEqual({ before: second, noted: second });
  expect(await note(first, false)).toEqual({ before: second, noted: second });
  expect(await note("https://a.example.org", true)).toEqual({ before: second, noted: "https://a.example.org" });
  expect(await note(first, false)).toEqual({ before: "https://a.example.org", noted: "https://a.example.org" });
  const events = await database.snapshot((db) =>
    db.selectFrom("audit_events").select("document").orderBy("number").execute(),
  );
  const actor = { kind: "system", user_id: null, token_id: null, address: null };
  expect(events.map(({ document }) => JSON.parse(document))).toMatchObject([
    { operation: "change-base-url", actor, before: { base_url: first }, after: { base_url: second } },
    { operation: "change-base-url", actor, before: { base_url: second }, after: { base_url: "https://a.example.org" } },
  ]);
});

/** Lets another machine make the control plane right after this one has seen that nobody has. */
function withOtherMachine(): Database {
  let isFirst = true;
  return {
    ...database,
    async snapshot(read) {
      const seen = await database.snapshot(read);
      if (isFirst) {
        isFirst = false;
        await prepareInstallation(database, secret, 1);
      }
      return seen;
    },
  };
}

test("whoever loses the race for the first start leaves no wrong secret behind, and says what to do", async () => {
  const path = join(folder, "secret.key");
  const source = { secretKey: undefined, secretKeyFile: undefined, dataDir: folder };
  await expect(openInstallation(withOtherMachine(), source, 1)).rejects.toThrow(
    `Another machine has made this control plane with its own secret: copy its secret.key to ${path}, or set HOLDFAST_SECRET_KEY.`,
  );
  expect(existsSync(path)).toBe(false);
  await expect(openInstallation(database, source, 1)).rejects.toThrow(`restore ${path}`);
  expect(existsSync(path)).toBe(false);
});
