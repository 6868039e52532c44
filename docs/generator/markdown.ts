/** A page of the reference; the first line says where it comes from, so that nobody edits it by hand. */
export function page(title: string, parts: readonly string[]): string {
  return `${[
    "<!-- Generated from the code by `npm run docs`. Change the declarations, not this file. -->",
    `# ${title}`,
    ...parts,
  ].join("\n\n")}\n`;
}

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}

export function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}

export function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** A pipe or a line break would end the cell; a bare angle bracket would be read as HTML. */
function cell(text: string): string {
  const outsideCode = text
    .split("`")
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll("<", "&lt;").replaceAll(">", "&gt;")))
    .join("`");
  return outsideCode.replaceAll("|", "\\|").replaceAll("\n", " ");
}
