import type { ChangeImplementation } from "../change";
import type { Implementation } from "../implementation";

function missing(): never {
  throw new Error("Not written yet.");
}

export const apiTokenReadings: Record<string, Implementation> = {
  "list-api-tokens": missing,
  "read-api-token": missing,
};

export const apiTokenChanges: Record<string, ChangeImplementation> = {
  "create-api-token": missing,
  "update-api-token": missing,
  "rotate-api-token": missing,
  "revoke-api-token": missing,
};
