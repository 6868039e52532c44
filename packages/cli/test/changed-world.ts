import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { openControlPlane } from "@holdfast/server/installation/control-plane";
import { createToken } from "@holdfast/server/resources/api-tokens/store";
import { createUnit } from "@holdfast/server/resources/organizational-units/store";
import { roleNames } from "@holdfast/server/resources/roles/store";
import { addGrants, createUser } from "@holdfast/server/resources/users/store";
import { type RawSettings, readSettings } from "@holdfast/server/settings/settings";

export const baseUrl = "http://holdfast.test";
export const absent = "11111111-1111-4111-8111-111111111111";

/** Settings of a copy of the world. */
export function settingsIn(folder: string, more: RawSettings = {}) {
  const flags = { data_dir: folder, base_url: baseUrl, log_level: "silent", ...more };
  return readSettings({ flags, environment: {}, file: null });
}

/** A control plane with people, units and tokens in every state that a rule asks about, and copies of it. */
export interface World {
  ids: Record<WorldId, string>;
  /** Tokens of the owner of everything, and of people. */
  tokens: { owner: string; bob: string; full: string };
  copy(): string;
  remove(): void;
}

type WorldId =
  | ("north" | "lower" | "south" | "crowded")
  | ("owner" | "bob" | "invited" | "disabled" | "full")
  | ("crew" | "good" | "revoked" | "kid");

/** Makes the world in a folder of its own. */
export async function makeWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-world-"));
  const home = join(folder, "home");
  const now = Date.now();
  const { database, sealer } = await openControlPlane(settingsIn(home), now);
  const made = await database.change(async (db) => {
    const unit = (name: string, parentId = rootUnitId) => createUnit(db, { name, parentId, createdAt: now });
    const north = await unit("North");
    const [lower, south, crowded] = [await unit("Lower", north), await unit("South"), await unit("Crowded")];
    const crew = "22222222-2222-4222-8222-222222222222";
    await db
      .insertInto("roles")
      .values({
        ...roleNames("Crew"),
        id: crew,
        description: "",
        permissions: '["tasks:read"]',
        organizational_unit_id: north,
        is_default: 0,
        created_at: now,
      })
      .execute();
    const user = async (name: string, state: { isConfirmed?: boolean; isEnabled?: boolean }, ...units: string[]) => {
      const person = { email: `${name}@example.org`, fullName: name, inviterId: null, createdAt: now };
      const id = await createUser(db, { ...person, isConfirmed: true, isEnabled: true, ...state });
      const roleId = name === "owner" ? defaultRoles.owner.id : defaultRoles.viewer.id;
      await addGrants(
        db,
        id,
        units.map((unitId) => ({ role_id: roleId, organizational_unit_id: unitId })),
      );
      return id;
    };
    const owner = await user("owner", {}, rootUnitId);
    const bob = await user("bob", {}, north, south);
    const invited = await user("invited", { isConfirmed: false }, south);
    const disabled = await user("disabled", { isConfirmed: false, isEnabled: false }, north);
    const full = await user("full", {}, north);
    const token = (name: string, unitId: string, userId?: string) => {
      const service = { kind: "service", roleId: defaultRoles[name === "owner" ? "owner" : "viewer"].id } as const;
      const holder = userId === undefined ? service : ({ kind: "personal", userId } as const);
      const about = { name, unitId, holder, createdBy: null, life: 86_400_000 };
      return createToken(db, sealer, { baseUrl, now, token: about });
    };
    const tokens = {
      owner: await token("owner", rootUnitId),
      good: await token("good", south),
      revoked: await token("revoked", south),
      bob: await token("bob", north, bob),
      full: await token("full", north, full),
      crowded: await token("crowded", crowded),
    };
    await db.updateTable("api_tokens").set({ revoked_at: now }).where("id", "=", tokens.revoked.id).execute();
    const fill = async (tokenId: string, count: number) => {
      const { seq: _, ...row } = await db
        .selectFrom("api_tokens")
        .selectAll()
        .where("id", "=", tokenId)
        .executeTakeFirstOrThrow();
      for (let at = 1; at < count; at++) {
        await db
          .insertInto("api_tokens")
          .values({ ...row, id: `${tokenId}-${at}` })
          .execute();
      }
    };
    await fill(tokens.full.id, 100);
    await fill(tokens.crowded.id, 1000);
    const { kid } = await db.selectFrom("signing_keys").select("kid").executeTakeFirstOrThrow();
    const units = { north, lower, south, crowded };
    const people = { owner, bob, invited, disabled, full };
    return {
      ids: { ...units, ...people, crew, good: tokens.good.id, revoked: tokens.revoked.id, kid },
      tokens: { owner: tokens.owner.token, bob: tokens.bob.token, full: tokens.full.token },
    };
  });
  await database.close();
  let copies = 0;
  return {
    ...made,
    copy() {
      copies += 1;
      const copy = join(folder, String(copies));
      cpSync(home, copy, { recursive: true });
      return copy;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
