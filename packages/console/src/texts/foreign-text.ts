/** Characters that turn the direction of text around, or hide: shown as what they are. */
const hidden = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are steered by these.
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they have no look of their own.
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text from outside, as it can be shown: without terminal codes, and with hidden characters made visible. */
export function visibleText(text: string): string {
  return text
    .replaceAll(ansi, "")
    .replaceAll(hidden, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replaceAll(control, "\u2423");
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The first line of a text, at most so many graphemes of it. */
export function firstLine(text: string, maxLength = 300): string {
  const [line = ""] = text
    .trimStart()
    .slice(0, maxLength * 20)
    .split(/\r?\n/, 1);
  if (line.length <= maxLength) return line;
  let [end, count] = [0, 0];
  for (const { index, segment } of graphemes.segment(line)) {
    if (count++ === maxLength) return `${line.slice(0, end)}…`;
    end = index + segment.length;
  }
  return line;
}
