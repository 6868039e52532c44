import { randomUUID } from "node:crypto";
import type { pingKeys } from "@holdfast/api/resources/ping-keys";
import {
  type AddItem,
  changing,
  creating,
  defaultSeed,
  listing,
  post,
  type ResourceSample,
  reading,
} from "./resource-sample";

const bodyIn = (organizational_unit_id: string, name: string = randomUUID()) => ({ name, organizational_unit_id });
const add: AddItem = (plane, unitId) => post(plane, "/ping-keys", bodyIn(unitId));

export const pingKeySample: ResourceSample<typeof pingKeys> = {
  operations: {
    "list-ping-keys": listing,
    "read-ping-key": reading(add),
    "create-ping-key": creating((unitId) => bodyIn(unitId)),
    "delete-ping-key": changing(add),
  },
  seed: defaultSeed("/ping-keys", bodyIn),
};
