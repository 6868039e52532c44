import { cspHash } from "../csp-hash";
import { pageColours } from "../page-colours";

/** The one style of the page. It is allowed by its hash, so the page needs no other file and runs nothing. */
export const docsStyle = `${pageColours}
html { scroll-padding-top: 24px; }
body { font-size: 15px; line-height: 24px; }
.page { display: grid; grid-template-columns: 248px minmax(0, 1fr); max-width: 1280px; margin: 0 auto; }
nav {
  position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto;
  padding: 20px 16px 48px; font-size: 14px; line-height: 20px;
}
nav .brand { margin-bottom: 8px; }
nav strong, nav summary { display: block; margin: 20px 0 4px; color: var(--soft); font-weight: 600; font-size: 12px; line-height: 16px; }
nav ul { list-style: none; margin: 0 -8px; padding: 0; }
nav li a { display: block; padding: 4px 8px; color: var(--ink); text-decoration: none; border-radius: 6px; overflow-wrap: anywhere; }
nav li a:hover { background: var(--sunken); }
main { padding: 24px 32px 96px; border-left: 1px solid var(--line); min-width: 0; }
h1 { font-size: 26px; font-weight: 600; line-height: 32px; letter-spacing: -0.015em; margin: 0 0 8px; }
h2 { font-size: 20px; font-weight: 600; line-height: 28px; letter-spacing: -0.01em; margin: 48px 0 8px; }
h3 { font-size: 16px; font-weight: 600; line-height: 24px; margin: 32px 0 8px; }
h4 { font-size: 13px; font-weight: 600; line-height: 20px; color: var(--soft); margin: 20px 0 4px; }
p { max-width: 68ch; margin: 8px 0 16px; }
a { color: var(--accent); text-underline-offset: 3px; }
a:focus-visible, pre:focus-visible, .table:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px;
}
.lead { font-size: 16px; color: var(--soft); }
code, pre { font-family: var(--mono); }
code { font-size: 0.85em; background: var(--sunken); border-radius: 4px; padding: 1px 4px; overflow-wrap: anywhere; }
pre {
  font-size: 12.5px; line-height: 20px; background: var(--sunken); border-radius: 6px;
  padding: 12px; overflow-x: auto; margin: 8px 0 16px;
}
pre code { font-size: inherit; background: none; padding: 0; overflow-wrap: normal; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 24px; margin: 16px 0; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; }
.operation {
  background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 16px 20px; margin: 16px 0;
}
.operation h3 { margin: 0 0 8px; display: flex; flex-wrap: wrap; gap: 10px; align-items: center; }
.operation h3 code { font-size: 14px; background: none; padding: 0; }
.operation > :last-child { margin-bottom: 0; }
.method {
  font-size: 12px; line-height: 16px; font-weight: 600; text-transform: uppercase; letter-spacing: 0.04em;
  color: var(--accent); background: var(--accent-tint); border-radius: 4px; padding: 2px 8px;
}
.id { margin-left: auto; color: var(--soft); font-weight: 400; font-size: 13px; }
.table { overflow-x: auto; margin: 8px 0 16px; }
table { border-collapse: collapse; width: 100%; font-size: 13px; line-height: 20px; }
th, td { text-align: left; vertical-align: top; padding: 7px 16px 7px 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-size: 12px; font-weight: 600; white-space: nowrap; }
tr:last-child td { border-bottom: 0; }
td:nth-child(2) { min-width: 8.5rem; }
td code { white-space: nowrap; }
.yes { color: var(--accent); font-weight: 600; }
.no { color: var(--soft); }
@media (max-width: 900px) {
  .page { display: block; }
  nav { position: static; max-height: 45vh; padding: 16px; border-bottom: 1px solid var(--line); }
  nav ul { columns: 2; }
  nav li { break-inside: avoid; }
  main { border: 0; padding: 16px 16px 64px; }
  .operation { padding: 16px; }
  .id { margin-left: 0; width: 100%; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .facts dd { margin-bottom: 8px; }
}
@media print { nav { display: none; } .page { display: block; } main { border: 0; } .operation { break-inside: avoid; } }
`;

/** The style as a Content-Security-Policy names it: `'sha256-…'`. */
export const docsStyleHash = cspHash(docsStyle);
