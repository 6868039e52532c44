import type { keys } from "@holdfast/api/resources/keys";
import { rotateSigningKey } from "../../src/access/tokens/signing-keys";
import { root } from "../harness";
import { listing, none, type OwnedPlane, type ResourceSample } from "./resource-sample";

const rotate = ({ database, controlPlane, clock }: OwnedPlane) =>
  database.change((db) => rotateSigningKey(db, controlPlane.sealer, clock.now));

/** A key that nobody who asks has a token of, but that has signed one: else it would be gone with the next. */
async function addKey(plane: OwnedPlane): Promise<string> {
  const kid = await rotate(plane);
  await plane.serviceToken("viewer");
  await rotate(plane);
  return kid;
}

/** Keys are the whole control plane's. */
export const keySample: ResourceSample<typeof keys> = {
  operations: {
    "list-keys": listing,
    "read-key": { ...none, prepare: async (plane) => ({ itemId: await addKey(plane) }) },
    "rotate-key": { ...none, prepare: async () => ({ auditedIn: root }) },
    "retire-key": { ...none, prepare: async (plane) => ({ itemId: await addKey(plane), auditedIn: root }) },
  },
  async seed(plane) {
    for (let key = 0; key < 6; key++) {
      plane.clock.now += 1;
      await plane.serviceToken("viewer");
      await rotate(plane);
    }
  },
};
