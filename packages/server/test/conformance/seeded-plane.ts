import type { RawSettings } from "../../src/settings/settings";
import { openPlane } from "../harness";
import type { OwnedPlane } from "../samples/resource-sample";
import { seedAll } from "../samples/samples";

/** A plane with several items of every resource, in a small tree of units. */
export interface SeededPlane extends OwnedPlane {
  /** Most is in the harbour, which is in the north. */
  units: { north: string; harbour: string; south: string };
  /** A service token of the root that may report tasks, and read nothing. */
  reporter: string;
  /** One that may read, and change nothing. */
  viewer: string;
}

/** Opens a plane and fills it with what the samples of resources have. */
export async function openSeededPlane(flags: RawSettings = {}): Promise<SeededPlane> {
  const plane = await openPlane(flags);
  const north = await plane.addUnit("North");
  const harbour = await plane.addUnit("Harbour", north);
  const south = await plane.addUnit("South");
  await plane.addUnit("West, where nothing is");
  // Otherwise what one test is refused, and which token it uses, would turn up in lists that another one reads.
  plane.service.refusals = { note: () => {}, flush: async () => {} };
  plane.service.tokenUse = { note: () => {}, flush: async () => {} };
  const owner = (await plane.serviceToken("owner")).token;
  await seedAll({ ...plane, owner }, harbour, south);
  return {
    ...plane,
    units: { north, harbour, south },
    owner,
    reporter: (await plane.serviceToken("reporter")).token,
    viewer: (await plane.serviceToken("viewer")).token,
  };
}
