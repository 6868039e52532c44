import { html } from "hono/html";

/** A piece of HTML in which everything that was not written by us is escaped. */
export type Html = ReturnType<typeof html>;

/** Text with `code` between backticks. */
export function prose(text: string): Html {
  const parts = text.split("`").map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
  return html`${parts}`;
}

export function codeBlock(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

/** A table that scrolls by itself where the screen is narrow. */
export function table(name: string, headings: readonly string[], rows: readonly (readonly (Html | string)[])[]): Html {
  return html`<div class="table" role="region" aria-label="${name}" tabindex="0"><table>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>`;
}

/** A part of the page that the table of contents leads to. */
export interface Section {
  id: string;
  title: string;
  body: Html;
}

export function code(text: string): Html {
  return html`<code>${text}</code>`;
}

/** Several pieces of code in a row. */
export function codes(texts: readonly string[]): Html {
  return html`${texts.map((text) => html`<code>${text}</code> `)}`;
}
