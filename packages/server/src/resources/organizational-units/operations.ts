import type { ChangeImplementation } from "../change";
import type { Implementation } from "../implementation";

function missing(): never {
  throw new Error("Not written yet.");
}

export const organizationalUnitReadings: Record<string, Implementation> = {
  "list-organizational-units": missing,
  "read-organizational-unit": missing,
};

export const organizationalUnitChanges: Record<string, ChangeImplementation> = {
  "create-organizational-unit": missing,
  "update-organizational-unit": missing,
  "delete-organizational-unit": missing,
};
