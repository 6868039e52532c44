import type { Implementation } from "../implementation";

function missing(): never {
  throw new Error("Not written yet.");
}

export const auditEventReadings: Record<string, Implementation> = {
  "list-audit-events": missing,
  "read-audit-event": missing,
};
