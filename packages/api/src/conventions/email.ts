import { textLimits } from "./text-limits";

const shape =
  /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)*$/u;

/** True if a text has the shape of an e-mail address; the address itself is not checked. */
export function isEmail(text: string): boolean {
  return text.length <= textLimits.email && shape.test(text) && text.isWellFormed();
}
