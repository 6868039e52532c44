import { z } from "zod";
import { rawLineLength, rawPasswordLength, textLimits } from "./text-limits";

/**
 * A text in a body. One that is longer is looked at by nothing else, not even by checks that follow in its schema. What is
 * expected follows "has to be".
 */
export function textField(longest: number, expectation = `at most ${longest} characters`): z.ZodString {
  return z.string().max(longest, { error: expectation, abort: true });
}

/** A text that is shown on one line. Its characters are counted once it is composed; here it is only kept from being endless. */
export function lineField(characters: number): z.ZodString {
  return textField(rawLineLength(characters), lineExpectation(characters));
}

/** A password. Its bytes are counted once it is composed. */
export function passwordField(): z.ZodString {
  return textField(rawPasswordLength, passwordExpectation);
}

/** A list in a body. */
export function listField<Element extends z.ZodType>(element: Element, most: number): z.ZodArray<Element> {
  return z.array(element).max(most, { error: `a list of at most ${most}`, abort: true });
}

/** What a line of at most so many characters has to be. */
export function lineExpectation(characters: number): string {
  return `1 to ${characters} characters on one line`;
}

/** What a password has to be that is too long. */
export const passwordExpectation = `at most ${textLimits.passwordBytes} bytes long`;
