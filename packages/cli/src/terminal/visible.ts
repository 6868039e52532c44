/** Characters that move the cursor, colour the terminal or turn text around, and those that end a line. */
const dangerous = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu;

const named = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** A text from outside as one line for a terminal: what could steer it is shown instead, such as \x1b. */
export function visible(text: string): string {
  return text.replace(dangerous, (character) => named.get(character) ?? escaped(character));
}

/** Makes a text of several lines visible, such as a log: line ends and tabs stay. */
export function visibleLines(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(dangerous, (character) => (character === "\n" || character === "\t" ? character : visible(character)));
}

/** JSON whose texts cannot steer a terminal either. It means the same to a program. */
export function visibleJson(json: string): string {
  return json.replace(dangerous, (character) => (character === "\n" ? character : escapedInJson(character)));
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : escapedInJson(character);
}

function escapedInJson(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
