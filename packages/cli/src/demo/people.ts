import type { DefaultRole } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { inventName } from "./names";
import { createOrderedIds } from "./ordered-ids";
import type { Organization } from "./organization";
import type { Random } from "./random";

export interface Person {
  id: string;
  email: string;
  fullName: string;
  isConfirmed: boolean;
  isEnabled: boolean;
  inviterId: string | null;
  createdAt: number;
  lastActiveAt: number | null;
  grants: { role: DefaultRole; unitId: string }[];
}

const day = 86_400_000;
const yearsOfHiring = 2 * 365 * day;

/** Makes up the people of a company, in the order in which they were invited. */
export function* inventPeople(
  random: Random,
  { regions, sites, departments }: Organization,
  count: number,
  until: number,
): Generator<Person> {
  const nextId = createOrderedIds(random);
  const usedAddresses = new Map<string, number>();
  const inviters: string[] = [];
  const leaders = count < 10 ? 1 : 2;
  const step = yearsOfHiring / count;

  const inventGrants = (index: number): Person["grants"] => {
    // None is an owner: that is for the link of the first start.
    if (index < leaders) return [{ role: "admin", unitId: rootUnitId }];
    const draw = random.fraction();
    if (draw < 0.1) return [{ role: "admin", unitId: random.pick(random.isLucky(0.3) ? regions : sites).id }];
    if (draw < 0.45) {
      const site = random.pick(sites);
      return random.isLucky(0.2)
        ? [
            { role: "operator", unitId: site.id },
            { role: "viewer", unitId: rootUnitId },
          ]
        : [{ role: "operator", unitId: random.pick(departments).id }];
    }
    const first = random.pick(departments).id;
    const second = random.pick(departments).id;
    return random.isLucky(0.15) && first !== second
      ? [
          { role: "viewer", unitId: first },
          { role: "viewer", unitId: second },
        ]
      : [{ role: "viewer", unitId: first }];
  };

  for (let index = 0; index < count; index++) {
    const { fullName, localPart } = inventName(random);
    const sameAddress = (usedAddresses.get(localPart) ?? 0) + 1;
    usedAddresses.set(localPart, sameAddress);
    const createdAt = Math.floor(until - yearsOfHiring + index * step + random.fraction() * step * 0.9);
    const grants = inventGrants(index);
    const isLeader = index < leaders;
    const isConfirmed = isLeader || until - createdAt > 60 * day || random.isLucky(0.4);
    const isEnabled = isLeader || !isConfirmed || !random.isLucky(0.06);
    const id = nextId(createdAt);
    yield {
      id,
      email: `${localPart}${sameAddress === 1 ? "" : sameAddress}@example.com`,
      fullName,
      isConfirmed,
      isEnabled,
      inviterId: inviters.length === 0 ? null : random.pick(inviters),
      createdAt,
      lastActiveAt: isConfirmed ? inventActivity(random, createdAt, until, isEnabled) : null,
      // Half of those who left have lost their roles, too.
      grants: isEnabled || random.isLucky(0.5) ? grants : [],
    };
    if (isEnabled && isConfirmed && grants.some(({ role }) => role === "admin")) inviters.push(id);
  }
}

function inventActivity(random: Random, createdAt: number, until: number, isEnabled: boolean): number {
  const known = until - createdAt;
  // Most were here within days; those who left, some time ago.
  const ago = isEnabled ? Math.min(known, 20 * day) * random.fraction() ** 3 : known * (0.2 + 0.6 * random.fraction());
  return Math.floor(until - ago);
}
