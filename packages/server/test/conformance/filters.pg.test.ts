import { afterAll, beforeAll, expect, test } from "bun:test";
import { type FilterField, parseFilter } from "@holdfast/api/conventions/filter";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import fc from "fast-check";
import { compileFilter, type FieldReaders, type FieldValues, fieldReader } from "../../src/lists/match-filter";
import { walk } from "../harness";
import { runs } from "../runs";
import { filteredLists } from "./declared";
import { openSeededPlane, type SeededPlane } from "./seeded-plane";

let plane: SeededPlane;
beforeAll(async () => {
  plane = await openSeededPlane();
});
afterAll(() => plane.close());

/** Fields of items that show what a filter compares under another name. */
interface Shown {
  full_name: string;
  email: string;
  access_control_configuration: { role_id: string; organizational_unit_ids: string[] }[];
  actor: { user_id: string | null; token_id: string | null };
  object: { type: string; id: string | null } | null;
  muted_until: string | null;
  revoked_timestamp: string | null;
  operation?: string;
  type: string;
}

const shownElsewhere: Record<string, FieldReaders<Shown>> = {
  "list-users": {
    name: ({ full_name, email }) => [full_name, email],
    role_id: ({ access_control_configuration: held }) => held.map(({ role_id }) => role_id),
    organizational_unit_id: ({ access_control_configuration: held }) =>
      held.flatMap(({ organizational_unit_ids }) => organizational_unit_ids),
  },
  "list-tasks": { operation: ({ operation, type }) => operation ?? type },
  "list-audit-events": {
    actor_id: ({ actor }) => [actor.user_id ?? [], actor.token_id ?? []].flat(),
    object_type: ({ object }) => object?.type ?? null,
    object_id: ({ object }) => object?.id ?? null,
  },
  "list-entities": { is_muted: ({ muted_until }) => muted_until !== null },
  "list-api-tokens": { is_revoked: ({ revoked_timestamp }) => revoked_timestamp !== null },
};

// Counts do not show what they count, the first version of users no roles, and suggestions are no query.
const tried = filteredLists.filter(
  ({ operation, name }) => !/-(counts|suggestions)$/.test(operation.id) && name !== "list-users v1",
);

const odd = ["", "none", "%", "_", "\\", "\ud83d", "a\u0000"];

/** Texts that a condition may name: those of items, in part and in other case, and some that no item has. */
function textsLike(values: readonly string[]): string[] {
  const parts = values.flatMap((value) => [value, value.toUpperCase(), value.toLowerCase(), value.slice(1, 4)]);
  return [...new Set([...parts, ...odd])];
}

type Written = [field: string, comparison: object];

function valuesFor(field: string, { kind }: FilterField, shown: readonly FieldValues[]): readonly (string | boolean)[] {
  const values = shown.flatMap((one) => one[field] ?? []);
  const moments = values.flatMap((value) => (typeof value === "number" ? [value - 1, value, value + 1] : []));
  if (kind === "flag") return [true, false];
  if (kind === "timestamp") return ["2026-01-01T00:00:00Z", ...moments.map((moment) => formatTimestamp(moment))];
  return textsLike(values.map(String));
}

function write(field: string, operator: string, values: readonly (string | boolean)[]): Written {
  return [field, { [operator]: operator === "$in" ? values : values[0] }];
}

test.each(tried)("$name finds what filters say of the items that it shows", async ({ operation, accept }) => {
  const { path, filters } = operation;
  const list = (query: string) => walk(plane, `${path}?limit=1000${query}`, { token: plane.owner, accept });
  const items = await list("");
  const read = fieldReader<Shown, string>(filters, shownElsewhere[operation.id]);
  const shown = items.map(read);
  const understand = (conditions: readonly Written[]) => {
    const text = JSON.stringify(Object.fromEntries(conditions));
    const { filter, faults } = parseFilter(text, filters);
    expect([text, faults]).toEqual([text, []]);
    const isMatch = compileFilter(filter, filters);
    return { text, ids: items.filter((_, index) => isMatch(shown[index] ?? {})).map(({ id }) => id) };
  };
  const fields = Object.entries(filters).map(([field, declared]) => ({
    field,
    operators: declared.operators,
    values: valuesFor(field, declared, shown),
  }));
  // One that some items match and others do not is among those that are tried.
  const telling = fields
    .flatMap(({ field, operators, values }) =>
      operators.flatMap((operator) => values.map((value) => write(field, operator, [value]))),
    )
    .find((one) => ![0, items.length].includes(understand([one]).ids.length));
  if (!telling) throw new Error(`No filter tells the items of ${path} apart. Seed some that differ.`);
  const condition = fc.oneof(
    ...fields.map(({ field, operators, values }) =>
      fc
        .tuple(fc.constantFrom(...operators), fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 4 }))
        .map(([operator, some]) => write(field, operator, some)),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(condition, { minLength: 1, maxLength: 2 }), async (conditions) => {
      const { text, ids } = understand(conditions);
      const listed = await list(`&filter=${encodeURIComponent(text)}`);
      expect([text, listed.map(({ id }) => id)]).toEqual([text, ids]);
    }),
    { ...runs(200, 1_000), examples: [[[telling]]] },
  );
});
