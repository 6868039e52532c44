import { z } from "zod";
import { rawLineLength, rawPasswordLength, textLimits } from "./text-limits";

/**
 * A text in a body. One that is longer is looked at by nothing else, not even by checks that follow in its schema. What is
 * expected follows "has to be".
 */
export function textField(maxLength: number, expectation = `at most ${maxLength} characters`): z.ZodString {
  return z.string().max(maxLength, { error: expectation, abort: true });
}

/**
 * A text that is shown on one line. Its characters are counted once it is composed: that is the bound which is described.
 * Here it is only kept from being endless.
 */
export function lineField(characters: number): z.ZodString {
  return textField(rawLineLength(characters), lineExpectation(characters)).meta({
    minLength: 1,
    maxLength: characters,
  });
}

/** A password. Its bytes are counted once it is composed; no character has less than one. */
export function passwordField(): z.ZodString {
  return textField(rawPasswordLength, passwordExpectation).meta({ maxLength: textLimits.passwordBytes });
}

/** A password that is to be set. Whether it is a good one is looked at once it is composed. */
export function newPasswordField(): z.ZodString {
  return passwordField().meta({ minLength: textLimits.passwordCharacters });
}

/** The id of something that was made here. Whether it is a UUID, in any letter case, is looked at where it is used. */
export function idField(): z.ZodString {
  return textField(textLimits.id).meta({ format: "uuid" });
}

/** An e-mail address, which may have letters of any script; conventions/email.ts looks at its shape. */
export function emailField(): z.ZodString {
  return textField(textLimits.email).meta({ format: "idn-email" });
}

/** The name of a time zone; the server knows which there are. */
export function timeZoneField(): z.ZodString {
  return textField(textLimits.timeZone).describe(
    "The zone of the times in mail, a name of the IANA database such as `Europe/Berlin`, by default `UTC`. UTC stands next to them.",
  );
}

/** A moment; conventions/timestamp.ts reads it. */
export function timestampField(): z.ZodString {
  return textField(textLimits.timestamp).meta({ format: "date-time" });
}

/** A whole number in a body, both ends included. */
export function wholeNumberField(min: number, max: number): z.ZodInt {
  const expectation = `${min} to ${max}`;
  return z.int().min(min, expectation).max(max, expectation);
}

/** A list in a body. */
export function listField<Element extends z.ZodType>(element: Element, max: number): z.ZodArray<Element> {
  return z.array(element).max(max, { error: `a list of at most ${max}`, abort: true });
}

/** Describes a line of at most so many characters, for error messages. */
export function lineExpectation(characters: number): string {
  return `1 to ${characters} characters on one line`;
}

/** Describes a password that is not too long, for error messages. */
export const passwordExpectation = `at most ${textLimits.passwordBytes} bytes long`;
