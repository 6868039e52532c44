import { randomUUID } from "node:crypto";
import type { views } from "@holdfast/api/resources/views";
import type { ModelPlace } from "../access/permission-model";
import {
  type Asker,
  everywhereAndMine,
  inside,
  listing,
  names,
  type Preparation,
  post,
  type ResourceSample,
  type SamplePlane,
  unitOf,
} from "./resource-sample";

const bodyOf = (is_shared: boolean, name: string = randomUUID()) => ({
  name,
  page: "tasks",
  query: "outcome=error,lost&since=7d",
  is_shared,
});

/** Adds a view that is shared in a unit, or one of the person who is going to ask. */
async function addView(plane: SamplePlane, place: ModelPlace, { userId, unitId }: Asker) {
  if (place !== "mine") {
    const auditedIn = unitOf(plane, place);
    return { itemId: await post(plane, "/views", bodyOf(true), auditedIn), auditedIn };
  }
  if (userId === undefined) throw new Error("A service has no views of its own.");
  const { token } = await plane.personalToken(userId, unitId);
  return {
    itemId: await post({ ...plane, owner: token }, "/views", bodyOf(false), unitId),
    auditedIn: plane.units.own,
  };
}

/** A view that is shared is seen with another permission than it is changed with. */
const withView = (body?: object): Preparation => ({
  ...inside,
  needs: "views:read",
  gives: ["views:write"],
  places: everywhereAndMine,
  prepare: async (plane, place, asker) => ({ ...(await addView(plane, place, asker)), ...(body ? { body } : {}) }),
});

export const viewSample: ResourceSample<typeof views> = {
  operations: {
    "list-views": listing,
    "read-view": {
      ...inside,
      places: everywhereAndMine,
      prepare: async (plane, place, asker) => ({ itemId: (await addView(plane, place, asker)).itemId }),
    },
    "create-view": {
      ...inside,
      reach: "named",
      gives: [],
      places: ["own", "mine"],
      prepare: async (plane, place) => ({ body: bodyOf(place === "own"), auditedIn: plane.units.own }),
    },
    "update-view": withView({ query: "outcome=lost" }),
    "delete-view": withView(),
  },
  async seed(plane, several, one) {
    for (const name of names) {
      plane.clock.now += 1;
      await post(plane, "/views", bodyOf(true, name), several);
    }
    await post(plane, "/views", bodyOf(true, "South"), one);
  },
};
