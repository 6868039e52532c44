import type { RawSettings } from "../../src/settings";
import { openPlane, type Plane, sampleTask } from "../harness";

/** A plane with several items of every resource, in a small tree of units. */
export interface SeededPlane extends Plane {
  units: { north: string; harbour: string; south: string };
  /** Service tokens of the root. */
  owner: string;
  reporter: string;
}

/** Opens a plane and fills it. A resource that is new needs a few items here for the suites to try its lists on. */
export async function openSeededPlane(flags: RawSettings = {}): Promise<SeededPlane> {
  const plane = await openPlane(flags);
  const north = await plane.addUnit("North");
  const harbour = await plane.addUnit("Harbour", north);
  const south = await plane.addUnit("South");
  const names = [
    "Ada Lovelace",
    "grace hopper",
    "Linus Torvalds",
    "Élodie Durand",
    "Żaneta Nowak",
    "anna 100%",
    "Bob_7",
  ];
  for (const name of names) {
    await plane.addUser({
      name,
      roles: [
        { role: "viewer", unitId: north },
        { role: "operator", unitId: harbour },
      ],
    });
  }
  await plane.addUser({ name: "South Person", roles: [{ role: "admin", unitId: south }] });
  await plane.addTasks(
    Array.from({ length: 9 }, (_, index) => ({ ...sampleTask(index + 1), organizational_unit_id: harbour })),
  );
  await plane.addTasks([{ organizational_unit_id: south }]);
  return {
    ...plane,
    units: { north, harbour, south },
    owner: (await plane.serviceToken("owner")).token,
    reporter: (await plane.serviceToken("reporter")).token,
  };
}
