import type { Table } from "./table";

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** A table of the page. The last cell of a row names its class where it says whether an aim is held. */
export function tableMarkup({ headings, lines }: Table): string {
  const head = headings.map((heading) => `<th scope="col">${escapeHtml(heading)}</th>`).join("");
  const body = lines.map((cells) => {
    const [first = "", ...rest] = cells.map(escapeHtml);
    const last = cells.at(-1);
    const name = last === "held" || last === "missed" ? ` class="${last}"` : "";
    return `<tr${name}><th scope="row">${first}</th>${rest.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>`;
}
