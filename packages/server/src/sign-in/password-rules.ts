import { passwordExpectation } from "@holdfast/api/conventions/body-fields";
import { compose, marksExpectation } from "@holdfast/api/conventions/compose";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import { rawPasswordLength, textLimits } from "@holdfast/api/conventions/text-limits";
import { commonPasswords } from "./common-passwords";

/** Whose password it is to be. */
export interface PasswordOwner {
  email: string;
  fullName: string;
}

/** A password is at least so long, in characters. */
export const minPasswordLength = textLimits.passwordCharacters;

/** Requirement that a new password does not fulfil; follows "has to be". */
export function passwordFault(password: string, owner: PasswordOwner): string | undefined {
  if (password.length > rawPasswordLength) return passwordExpectation;
  const text = compose(password, rawPasswordLength);
  if (text === undefined) return marksExpectation;
  if ([...text].length < minPasswordLength) return `${minPasswordLength} characters or more`;
  if (Buffer.byteLength(text) > textLimits.passwordBytes) return passwordExpectation;
  if (!text.isWellFormed()) return "whole characters";
  const folded = foldCase(text);
  if (commonPasswords.has(folded) || isOwn(folded, owner)) {
    return "harder to guess: not a common password, and not your name or address";
  }
  return undefined;
}

function isOwn(folded: string, { email, fullName }: PasswordOwner): boolean {
  return [email, email.split("@")[0] ?? "", fullName].some((own) => foldCase(own) === folded);
}
