import { randomUUID } from "node:crypto";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { unitHeaderName } from "../harness";
import { type AttackedWorld, pick, thing } from "./attacked-world";
import type { DescribedOperation, JsonSchema } from "./described-operations";

/** A request in parts, so that one of them can be broken. */
export interface Draft {
  operation: DescribedOperation;
  method: string;
  /** The path, with the values of its variables still to be filled in. */
  path: string;
  variables: Record<string, string>;
  query: [string, string][];
  headers: [string, string][];
  /** JSON body; undefined is no body. */
  json: Record<string, unknown> | undefined;
  /** Sent in place of the JSON. */
  bytes?: Uint8Array;
  /** Sent in place of the query. */
  rawQuery?: string;
}

/** Operations that cannot succeed here, and what they answer: no provider is set, there are owners, a code is a secret. */
export const neverDone: Record<string, number> = {
  "begin-openid-sign-in": 404,
  "finish-openid-sign-in": 404,
  "create-first-owner": 400,
  "confirm-totp": 422,
};

/** Makes a request that nothing is wrong with, of what the description says and what there is. */
export function makeValid(world: AttackedWorld, operation: DescribedOperation): Draft {
  const { dice } = world;
  // An imported task takes neither a change nor a log.
  const addsTo = operation.method === "POST" && /\/(invitation|log)$/.test(operation.path);
  const isChanged = operation.method === "PATCH" || addsTo;
  const mayEnd = operation.method === "DELETE" || operation.id === "rotate-api-token";
  const variables = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [
    name,
    thing(world, name, mayEnd, isChanged),
  ]);
  const draft: Draft = {
    operation,
    method: operation.method,
    path: operation.path,
    variables: Object.fromEntries(variables),
    query: [],
    headers: [["Host", `127.0.0.1`], ...callerOf(world, operation)],
    // Without an overlap, a caller of the attack would end its own token.
    json: operation.id === "renew-api-token" ? {} : operation.body && bodyOf(world, operation, operation.body),
  };
  if (draft.json) draft.headers.push(["Content-Type", "application/json"]);
  if (operation.headers.includes(unitHeaderName) && dice(4) === 0) draft.headers.push([unitHeaderName, rootUnitId]);
  if (operation.headers.includes("Idempotency-Key") && dice(4) === 0) {
    draft.headers.push(["Idempotency-Key", randomUUID()]);
  }
  const types = [...operation.responses].flatMap(([status, media]) => (status < 300 ? media : []));
  const accept = pick(dice, types);
  if (accept !== undefined && dice(2) === 0) draft.headers.push(["Accept", accept]);
  for (const { name, json, needed } of operation.query) {
    if (needed !== undefined) draft.query.push([name, needed]);
    if (dice(2) === 0) continue;
    if (name === "limit") draft.query.push([name, String(1 + dice(50))]);
    if (name === "start") draft.query.push([name, String(1 + dice(3))]);
    if (name === "filter") draft.query.push([name, JSON.stringify(filterOf(world, json))]);
  }
  return draft;
}

function callerOf(world: AttackedWorld, { callers, id }: DescribedOperation): [string, string][] {
  // Only the token of a service renews itself.
  if (id === "renew-api-token") return [["Authorization", `Bearer ${world.tokens[1]}`]];
  const isPersonal = id === "create-api-token" && world.dice(2) === 0;
  if (callers.includes("bearer") && !isPersonal && world.dice(3) > 0) {
    return [["Authorization", `Bearer ${world.tokens[0]}`]];
  }
  if (!callers.includes("session")) return [];
  return [
    ["Cookie", `holdfast_session=${world.cookie}`],
    ["X-CSRF-Token", world.csrf],
  ];
}

function bodyOf(world: AttackedWorld, { id }: DescribedOperation, schema: JsonSchema): Record<string, unknown> {
  const { password, email, invitations } = world;
  if (id === "sign-in") return { email, password };
  if (id === "change-password") return { current_password: password, password: `${password} ${world.count++}` };
  if (id === "accept-invitation") return { secret: invitations.pop() ?? "none", password: `${password} of theirs` };
  if (id === "create-api-token") {
    const name = `token ${world.count++}`;
    return { kind: "service", name, role_id: world.lasting.get("role_id")?.[0] };
  }
  // The slug is made of the name, and there is one of each.
  if (id === "create-monitor") return { name: `monitor ${world.count++}` };
  const [example] = schema.examples ?? [];
  // Now and then with any fields, which may not go together.
  if (example && world.dice(4) > 0) return structuredClone(example);
  // A user without a role cannot accept an invitation.
  const required = [...(schema.required ?? []), ...(id === "create-user" ? ["access_control_configuration"] : [])];
  const names = Object.keys(schema.properties ?? {}).filter((name) => required.includes(name) || world.dice(2) === 0);
  return Object.fromEntries(names.map((name) => [name, sampleOf(world, name, schema.properties?.[name] ?? {})]));
}

function sampleOf(world: AttackedWorld, name: string, schema: JsonSchema): unknown {
  const { dice } = world;
  const choice = pick(dice, [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]);
  if (choice) return sampleOf(world, name, choice);
  if (schema.const !== undefined) return schema.const;
  if (schema.type === "null") return null;
  if (schema.enum) return pick(dice, schema.enum);
  if (schema.type === "array") return [sampleOf(world, name.replace(/s$/, ""), schema.items ?? {})];
  if (schema.type === "object") {
    const entries = Object.entries(schema.properties ?? {});
    return Object.fromEntries(entries.map(([field, inner]) => [field, sampleOf(world, field, inner)]));
  }
  if (schema.type === "boolean") return true;
  if (schema.type === "integer") return (schema.minimum ?? 0) + dice(Math.min(100, (schema.maximum ?? 100) + 1));
  if (name === "role_id") return world.lasting.get("role_id")?.[0] ?? "";
  if (name === "parent_id") return rootUnitId;
  if (name === "organizational_unit_id") return world.lasting.get(name)?.[0] ?? "";
  if (name === "email") return `person-${world.count++}@example.org`;
  if (name === "permission") return "tasks:read";
  if (name === "expires_timestamp") return new Date(Date.now() + 3_600_000).toISOString();
  if (name.includes("password")) return world.password;
  if (name === "code") return "123456";
  if (name === "time_zone") return "Europe/Berlin";
  return `${name} ${world.count++}`;
}

function filterOf(world: AttackedWorld, json: JsonSchema | undefined): Record<string, unknown> {
  const { dice } = world;
  const [name, schema] = pick(dice, Object.entries(json?.properties ?? {})) ?? [];
  if (name === undefined || schema === undefined) return {};
  const conditions = schema.properties ?? schema.anyOf?.find((choice) => choice.properties)?.properties ?? {};
  const [operator, value] = pick(dice, Object.entries(conditions)) ?? ["$eq", {}];
  const text = value.format === "date-time" ? new Date(Date.now() - dice(1e9)).toISOString() : `web-${dice(9)}`;
  return { [name]: { [operator]: operator === "$in" ? [text] : text } };
}
