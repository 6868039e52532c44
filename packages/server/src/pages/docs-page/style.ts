import { cspHash } from "../csp-hash";
import { pageColours } from "../page-colours";

/** The one style of the page. It is allowed by its hash, so the page needs no other file and runs nothing. */
export const docsStyle = `${pageColours}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
.page { display: grid; grid-template-columns: 16rem minmax(0, 1fr); max-width: 76rem; margin: 0 auto; }
nav {
  position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto;
  padding: 2.5rem 1.5rem; font-size: 0.875rem;
}
nav strong { display: block; margin: 1.25rem 0 0.25rem; color: var(--soft); font-weight: 600; font-size: 0.8125rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: 0.125rem 0; color: var(--ink); text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }
.brand { font-size: 1.0625rem; font-weight: 700; }
main { padding: 2.5rem 2rem 6rem; border-left: 1px solid var(--line); min-width: 0; }
h1 { font-size: 2.125rem; line-height: 1.2; letter-spacing: -0.02em; margin: 0 0 0.75rem; }
h2 { font-size: 1.5rem; line-height: 1.3; letter-spacing: -0.01em; margin: 3.5rem 0 0.75rem; }
h3 { font-size: 1.125rem; margin: 2.25rem 0 0.5rem; }
h4 { font-size: 0.875rem; color: var(--soft); margin: 1.5rem 0 0.5rem; }
p { max-width: 44rem; margin: 0.5rem 0 1rem; }
a { color: var(--accent); text-underline-offset: 0.15em; }
a:focus-visible, pre:focus-visible, .table:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px;
}
.lead { font-size: 1.125rem; color: var(--soft); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { font-size: 0.85em; background: var(--code); border-radius: 4px; padding: 0.1em 0.35em; overflow-wrap: anywhere; }
pre {
  font-size: 0.8125rem; line-height: 1.55; background: var(--code); border: 1px solid var(--line); border-radius: 8px;
  padding: 0.875rem 1rem; overflow-x: auto; margin: 0.5rem 0 1rem;
}
pre code { font-size: inherit; background: none; padding: 0; overflow-wrap: normal; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 1rem; margin: 1rem 0; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; }
.operation {
  background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem 1.5rem; margin: 1.25rem 0;
}
.operation h3 { margin: 0 0 0.5rem; display: flex; flex-wrap: wrap; gap: 0.625rem; align-items: center; }
.operation h3 code { font-size: 1rem; background: none; padding: 0; }
.method {
  font-size: 0.75rem; font-weight: 700; text-transform: uppercase; letter-spacing: 0.04em;
  color: var(--accent); background: var(--tint); border-radius: 6px; padding: 0.15rem 0.5rem;
}
.id { margin-left: auto; color: var(--soft); font-weight: 400; font-size: 0.875rem; }
.table { overflow-x: auto; margin: 0.5rem 0 1rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; line-height: 1.5; }
th, td { text-align: left; vertical-align: top; padding: 0.4375rem 1rem 0.4375rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
tr:last-child td { border-bottom: 0; }
td:nth-child(2) { min-width: 8.5rem; }
td code { white-space: nowrap; }
.yes { color: var(--accent); font-weight: 600; }
.no { color: var(--soft); }
@media (max-width: 54rem) {
  .page { display: block; }
  nav { position: static; max-height: none; padding: 1.5rem 1.25rem; border-bottom: 1px solid var(--line); }
  nav ul { columns: 2; }
  main { border: 0; padding: 1.5rem 1.25rem 4rem; }
  .operation { padding: 1rem; }
  .id { margin-left: 0; width: 100%; }
}
@media print { nav { display: none; } .page { display: block; } main { border: 0; } }
`;

/** The style as a Content-Security-Policy names it: `'sha256-…'`. */
export const docsStyleHash = cspHash(docsStyle);
