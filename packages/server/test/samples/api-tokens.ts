import type { apiTokens } from "@holdfast/api/resources/api-tokens";
import type { ModelPlace } from "../access/permission-model";
import {
  type Asker,
  another,
  everywhereAndMine,
  inside,
  listing,
  none,
  type Preparation,
  type ResourceSample,
  reporter,
  type SamplePlane,
  unitOf,
} from "./resource-sample";

async function addToken(plane: SamplePlane, place: ModelPlace, { userId, unitId }: Asker) {
  if (place !== "mine") {
    const auditedIn = unitOf(plane, place);
    return { itemId: (await plane.serviceToken("reporter", auditedIn)).id, auditedIn };
  }
  if (userId === undefined) throw new Error("A service has no tokens of its own.");
  return { itemId: (await plane.personalToken(userId, unitId)).id, auditedIn: unitId };
}

/** A person may do this with their own tokens, too. */
const withToken = (bodyOf?: () => object): Preparation => ({
  ...inside,
  places: everywhereAndMine,
  prepare: async (plane, place, asker) => ({
    ...(await addToken(plane, place, asker)),
    ...(bodyOf ? { body: bodyOf() } : {}),
  }),
});

export const apiTokenSample: ResourceSample<typeof apiTokens> = {
  operations: {
    "list-api-tokens": listing,
    "read-api-token": {
      ...withToken(),
      prepare: async (plane, place, asker) => ({ itemId: (await addToken(plane, place, asker)).itemId }),
    },
    "create-api-token": {
      ...inside,
      reach: "named",
      places: everywhereAndMine,
      prepare: async (plane, place) => {
        const name = `Token ${another()}`;
        if (place === "mine") return { body: { name, kind: "personal" }, auditedIn: plane.units.own };
        const auditedIn = unitOf(plane, place);
        return {
          body: { name, kind: "service", role_id: reporter.id, organizational_unit_id: auditedIn },
          auditedIn,
        };
      },
    },
    "update-api-token": withToken(() => ({ name: "Renamed" })),
    "rotate-api-token": withToken(() => ({ overlap_seconds: another() })),
    "renew-api-token": {
      ...none,
      isOwn: true,
      prepare: async (_plane, _place, asker) => ({ itemId: asker.holder, body: {}, auditedIn: asker.unitId }),
    },
    "revoke-api-token": withToken(),
  },
  async seed(plane, several, one) {
    for (const unit of [several, several, several, several, one]) await plane.serviceToken("viewer", unit);
  },
};
