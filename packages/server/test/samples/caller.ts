import type { caller } from "@holdfast/api/resources/caller";
import { listing, type ResourceSample } from "./resource-sample";

export const callerSample: ResourceSample<typeof caller> = {
  operations: { "read-caller": listing },
  seed: async () => {},
};
