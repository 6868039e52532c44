import { expect, test } from "bun:test";
import { readVouchedEmail } from "./openid-claims";

const ida = { email: "ida@example.org", email_verified: true };
const otto = { email: "otto@example.org", email_verified: true };
const vouched = { email: "ida@example.org", isEmailVerified: true };
const unvouched = { email: "ida@example.org", isEmailVerified: false };
const none = { email: undefined, isEmailVerified: false };

test.each([
  ["userinfo alone names it", {}, ida, vouched],
  ["the ID token alone names it", ida, {}, vouched],
  ["both say the same", ida, ida, vouched],
  ["they differ in letter case", ida, { email: " Ida@Example.ORG", email_verified: true }, vouched],
  ["userinfo writes the flag as a text", ida, { ...ida, email_verified: "true" }, vouched],
  ["the flag is a text", {}, { ...ida, email_verified: "true" }, unvouched],
  ["only userinfo says that it is verified", { email: ida.email }, ida, unvouched],
  ["only userinfo has a flag, without an address", { email: ida.email }, { email_verified: true }, unvouched],
  ["only the ID token has a flag, without an address", { email_verified: true }, { email: ida.email }, unvouched],
  ["only the ID token says that it is verified", ida, { email: ida.email }, vouched],
  ["what the ID token has is empty", { email: " ", email_verified: true }, { email: ida.email }, unvouched],
  ["what the ID token has is no text", { email: ["x@y.org"], email_verified: true }, ida, vouched],
  ["neither names one", { email_verified: true }, { email_verified: true }, none],
])("an address and whether it is verified come from one place: %s", (_, idToken, userInfo, read) => {
  expect(readVouchedEmail(idToken, userInfo)).toEqual(read);
});

test.each([
  ["on the address", ida, otto],
  ["on the address, though neither is verified", { email: ida.email }, { email: otto.email }],
  ["on letters that only we take for the same", { email: "strasse@example.org" }, { email: "straße@example.org" }],
  ["on whether it is verified", ida, { ...ida, email_verified: false }],
  ["on whether it is not", { ...ida, email_verified: false }, ida],
])("two places that disagree %s are found out", (_, idToken, userInfo) => {
  expect(readVouchedEmail(idToken, userInfo)).toBe("disagree");
});
