import { errorMessage } from "@holdfast/api/conventions/error-message";
import { AuditUnwritable } from "@holdfast/server/audit/record-event";
import { DatabaseAway } from "@holdfast/server/database/errors";
import { SettingError } from "@holdfast/server/settings/settings";
import { WrongUse } from "./wrong-use";

/** What a command ends with that did not do what was asked: one line, and 2 for wrong use or 1 for what failed. */
export interface Failure {
  line: string;
  exitCode: 1 | 2;
}

export function describeFailure(error: unknown): Failure {
  const message = errorMessage(error);
  const remedy =
    error instanceof AuditUnwritable
      ? " See: holdfast audit verify"
      : error instanceof DatabaseAway
        ? " Try again in a moment."
        : "";
  return {
    line: `holdfast: ${message.replace(/\s*[\p{Cc}]+\s*/gu, " ").trim()}${remedy}`,
    exitCode: error instanceof WrongUse || error instanceof SettingError ? 2 : 1,
  };
}
