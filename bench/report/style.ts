/** How the page looks, in light and in dark. */
export const style = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1d2430; --soft: #5b6675; --rule: #dfe3e8; --held: #1f8a4c; --missed: #c8372d;
  --side-0: #1f6feb; --side-1: #7a8594; --side-2: #d97706; --side-3: #0f9d8a; --side-4: #a23bd1; --side-5: #c8372d; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #12161c; --ink: #e6e9ee; --soft: #9aa6b5; --rule: #2b323c; --held: #4cc27f; --missed: #ff7a70;
    --side-0: #6ea8ff; --side-1: #a3adba; --side-2: #f5a742; --side-3: #3fd0bb; --side-4: #d18bf0; --side-5: #ff7a70; }
}
body { margin: 0 auto; max-width: 1180px; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .25rem; } h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; }
p, li { max-width: 75ch; } .soft { color: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--rule); vertical-align: top; }
thead th { color: var(--soft); font-weight: 600; white-space: nowrap; } tbody th { font-weight: 500; min-width: 15rem; } td { white-space: nowrap; }
tr.held td:last-child { color: var(--held); } tr.missed td:last-child { color: var(--missed); font-weight: 600; }
figure { margin: 1.5rem 0; } figcaption { font-weight: 600; margin-bottom: .35rem; }
svg { display: block; min-width: 720px; width: 100%; height: auto; font: 13px system-ui, sans-serif; } svg text { fill: var(--ink); }
svg .tick { fill: var(--soft); font-size: 12px; } svg .grid, svg .rule { stroke: var(--rule); } svg .rule { stroke-dasharray: 2 4; }
svg .aim { stroke: var(--ink); stroke-width: 1.5; } svg .held { fill: var(--held); } svg .missed { fill: var(--missed); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; list-style: none; padding: 0; margin: 0 0 .25rem; color: var(--soft); }
.legend span { display: inline-block; width: .75rem; height: .75rem; border-radius: 50%; margin-right: .4rem; }
`;
