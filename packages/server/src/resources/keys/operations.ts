import type { ChangeImplementation } from "../change";
import type { Implementation } from "../implementation";

function missing(): never {
  throw new Error("Not written yet.");
}

export const keyReadings: Record<string, Implementation> = { "list-keys": missing, "read-key": missing };

export const keyChanges: Record<string, ChangeImplementation> = { "rotate-key": missing, "retire-key": missing };
