import { html, raw } from "hono/html";
import { colours } from "./page-colours";

/** The mark of Holdfast, which is also the icon of its tabs. */
export const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0b6e5f"/><path d="M16 5v12M16 17c-5 0-8 3-8 8M16 17c5 0 8 3 8 8M16 17v8M12 27h8" stroke="#fff" stroke-width="2.5" stroke-linecap="round" fill="none"/></svg>`;

/** Head of a page, beside its style: its viewport, its icon, its title. */
export function pageHead(title: string): ReturnType<typeof html> {
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${colours.light.panel}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${colours.dark.panel}">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="favicon.svg">`;
}

/** The mark, and the name beside it. */
export function wordmark(name: string): ReturnType<typeof html> {
  return html`${raw(mark)}${name}`;
}
