import { wholeNumberField } from "../conventions/body-fields";

/** Which attempt a report comes from. */
export const attemptField = wholeNumberField(1, 1000)
  .optional()
  .describe("Which attempt reports. Reports of earlier attempts are refused.");
