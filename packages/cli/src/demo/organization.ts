import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { createOrderedIds } from "./ordered-ids";
import type { Random } from "./random";

export interface DemoUnit {
  id: string;
  name: string;
  parentId: string;
  createdAt: number;
}

/** A department at a site: where machines stand and tasks belong. */
export interface Department extends DemoUnit {
  siteId: string;
  /** Beginning of its host names. */
  prefix: string;
  /** Offset of the site's clock: night there is not night everywhere. */
  hoursAheadOfUtc: number;
  /** Where schedules are written by the clock on the wall. */
  timeZone: string;
}

/** The company: regions below the root, sites in regions, departments at sites. */
export interface Organization {
  regions: DemoUnit[];
  sites: DemoUnit[];
  departments: Department[];
}

interface Site {
  name: string;
  prefix: string;
  hoursAheadOfUtc: number;
  timeZone: string;
}

const regionPlans: readonly { name: string; sites: readonly Site[] }[] = [
  {
    name: "Europe",
    sites: [
      { name: "Hamburg", prefix: "ham", hoursAheadOfUtc: 1, timeZone: "Europe/Berlin" },
      { name: "Lyon", prefix: "lys", hoursAheadOfUtc: 1, timeZone: "Europe/Paris" },
      { name: "Gdańsk", prefix: "gdn", hoursAheadOfUtc: 1, timeZone: "Europe/Warsaw" },
      { name: "Malmö", prefix: "mma", hoursAheadOfUtc: 1, timeZone: "Europe/Stockholm" },
    ],
  },
  {
    name: "Americas",
    sites: [
      { name: "Montréal", prefix: "yul", hoursAheadOfUtc: -5, timeZone: "America/Toronto" },
      { name: "Columbus", prefix: "cmh", hoursAheadOfUtc: -5, timeZone: "America/New_York" },
      { name: "São Paulo", prefix: "gru", hoursAheadOfUtc: -3, timeZone: "America/Sao_Paulo" },
    ],
  },
  {
    name: "Asia Pacific",
    sites: [
      { name: "Ōsaka", prefix: "kix", hoursAheadOfUtc: 9, timeZone: "Asia/Tokyo" },
      { name: "Pune", prefix: "pnq", hoursAheadOfUtc: 5.5, timeZone: "Asia/Kolkata" },
      { name: "Singapore", prefix: "sin", hoursAheadOfUtc: 8, timeZone: "Asia/Singapore" },
    ],
  },
];

const departmentPlans = [
  { name: "Operations", prefix: "ops" },
  { name: "Engineering", prefix: "eng" },
  { name: "Finance", prefix: "fin" },
  { name: "Sales", prefix: "sal" },
  { name: "Research", prefix: "rnd" },
  { name: "Logistics", prefix: "log" },
] as const;

const year = 365 * 86_400_000;

/** Makes up the company, three levels below the root, as it grew over the years before. */
export function inventOrganization(random: Random, until: number): Organization {
  const nextId = createOrderedIds(random);
  const organization: Organization = { regions: [], sites: [], departments: [] };
  // The tree is built from the top down in time, too.
  let createdAt = until - 3 * year;
  const unit = (name: string, parentId: string): DemoUnit => {
    createdAt += random.whole(1, 20) * 86_400_000 + random.whole(0, 36_000_000);
    return { id: nextId(createdAt), name, parentId, createdAt };
  };
  for (const region of regionPlans) {
    const regionUnit = unit(region.name, rootUnitId);
    organization.regions.push(regionUnit);
    for (const site of region.sites) {
      const siteUnit = unit(site.name, regionUnit.id);
      organization.sites.push(siteUnit);
      for (const department of departmentPlans.filter(({ name }) => name === "Operations" || random.isLucky(0.4))) {
        organization.departments.push({
          ...unit(department.name, siteUnit.id),
          siteId: siteUnit.id,
          prefix: `${site.prefix}-${department.prefix}`,
          hoursAheadOfUtc: site.hoursAheadOfUtc,
          timeZone: site.timeZone,
        });
      }
    }
  }
  return organization;
}

/** All units, those above before those below. */
export function unitsOf({ regions, sites, departments }: Organization): DemoUnit[] {
  return [...regions, ...sites, ...departments];
}
