import type { DefaultRole } from "@holdfast/api/conventions/permissions";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { type Answered, type Ask, openPlane, type Plane, root } from "../harness";

export const day = 86_400_000;
export const absent = "11111111-1111-4111-8111-111111111111";

/** A plane with a small tree, and short ways to ask for tokens. */
export interface TokenPlane extends Plane {
  /** Root above Berlin, which is above Mitte; Paris is beside it. */
  units: { berlin: string; mitte: string; paris: string };
  /** A person with a role in a unit, and a personal token for it. */
  person(role: DefaultRole, unitId?: string, life?: number): Promise<{ userId: string; id: string; token: string }>;
  create(ask: Ask, body: unknown): Promise<Answered>;
  rotate(id: string, ask: Ask, body?: unknown): Promise<Answered>;
  rename(id: string, ask: Ask, body?: unknown): Promise<Answered>;
  revoke(id: string, ask: Ask): Promise<Answered>;
}

export async function openTokenPlane(): Promise<TokenPlane> {
  const plane = await openPlane();
  const berlin = await plane.addUnit("Berlin");
  const units = { berlin, mitte: await plane.addUnit("Mitte", berlin), paris: await plane.addUnit("Paris") };
  return {
    ...plane,
    units,
    async person(role, unitId = root, life = 30 * day) {
      const userId = await plane.addUser({ roles: [{ role, unitId }] });
      return { userId, ...(await plane.personalToken(userId, unitId, life)) };
    },
    create: (ask, body) => plane.ask("/api-tokens", { ...ask, method: "POST", body }),
    rotate: (id, ask, body = {}) => plane.ask(`/api-tokens/${id}/rotate`, { ...ask, method: "POST", body }),
    rename: (id, ask, body = { name: "renamed" }) => plane.ask(`/api-tokens/${id}`, { ...ask, method: "PATCH", body }),
    revoke: (id, ask) => plane.ask(`/api-tokens/${id}`, { ...ask, method: "DELETE" }),
  };
}

/** The body for a service token. */
export const service = (role: DefaultRole, more: object = {}) => ({
  name: "nightly",
  kind: "service",
  role_id: defaultRoles[role].id,
  ...more,
});

export const personal = { name: "laptop", kind: "personal" };

export const at = (milliseconds: number) => new Date(milliseconds).toISOString();

export const codeOf = (answer: Answered): number | undefined => answer.body.errors[0]?.error_code;
