import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { type ChangeCase, cases, post, remove, viewer } from "./change-case";
import { absent, type World } from "./changed-world";

const service = (...options: string[]) => ["--kind", "service", "--name", "n", ...options];
const personal = (...options: string[]) => ["--kind", "personal", "--name", "n", ...options];
const newToken = (kind: string, unit: string, role?: string, as?: keyof World["tokens"]) =>
  post(
    "/api-tokens",
    { kind, name: "n", organizational_unit_id: unit, ...(role === undefined ? {} : { role_id: role }) },
    as,
  );

/** Cases for tokens and keys. */
export const tokenCases: readonly ChangeCase[] = [
  ...cases("token create", [
    ["done", "for a service", (id) => service("--ou", id.north), (id) => newToken("service", id.north, viewer)],
    [
      "done",
      "for a person",
      (id) => personal("--user", id.bob, "--ou", id.south),
      (id) => newToken("personal", id.south, undefined, "bob"),
    ],
    [
      "refused",
      "for a person where they hold nothing",
      (id) => personal("--user", id.bob),
      () => newToken("personal", rootUnitId, undefined, "bob"),
    ],
    [
      "refused",
      "with a role of another unit",
      (id) => service("--role", "crew", "--ou", id.south),
      (id) => newToken("service", id.south, id.crew),
    ],
    ["refused", "in no unit", () => service("--ou", absent), () => newToken("service", absent, viewer)],
    [
      "refused",
      "the 1,001st of a unit",
      (id) => service("--ou", id.crowded),
      (id) => newToken("service", id.crowded, viewer),
    ],
    [
      "refused",
      "the 101st of a person",
      (id) => personal("--user", id.full, "--ou", id.north),
      (id) => newToken("personal", id.north, undefined, "full"),
    ],
  ]),
  ...cases("token revoke", [
    ["done", "one that is good", (id) => [id.good], (id) => remove(`/api-tokens/${id.good}`)],
    ["done", "one that was revoked", (id) => [id.revoked], (id) => remove(`/api-tokens/${id.revoked}`)],
    ["refused", "none", () => [absent], () => remove(`/api-tokens/${absent}`)],
  ]),
  ...cases("key rotate", [["done", "the one that signs", () => [], () => post("/keys"), ["x"]]]),
  ...cases("key retire", [
    ["done", "the one that signs", (id) => [id.kid], (id) => remove(`/keys/${id.kid}`)],
    ["refused", "none", () => ["hf-none"], () => remove("/keys/hf-none")],
  ]),
];
