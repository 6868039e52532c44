/** Number of terminal columns that a text takes: wide characters and emoji two, combining marks none. */
export function widthOf(text: string): number {
  return Bun.stringWidth(text);
}

/** A text filled up with spaces to a width. */
export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** As much of a text as fits into a width, with … where something is left out. No character is cut in two. */
export function shortened(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width <= 0) return "";
  let kept = "";
  let taken = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    taken += widthOf(segment);
    if (taken > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
