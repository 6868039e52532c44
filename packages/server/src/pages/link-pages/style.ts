import { pageColours } from "../page-colours";

/** The one style of the pages. */
export const linkPageStyle = `${pageColours}
:root { --edge: #8b949d; --fault: #b3261e; --fault-tint: #fdecea; --on-accent: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --edge: #6b7681; --fault: #ff9a90; --fault-tint: #3a1f1d; --on-accent: #0c1f1c; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 2rem 1rem;
  background: var(--ground); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main {
  width: 100%; max-width: 30rem; padding: 2.25rem 2.5rem 2.5rem;
  background: var(--panel); border: 1px solid var(--line); border-radius: 12px;
}
.brand { margin: 0 0 1.5rem; color: var(--accent); font-weight: 700; }
h1 { margin: 0 0 0.5rem; font-size: 1.625rem; line-height: 1.25; letter-spacing: -0.015em; }
h1:focus { outline: 0; }
p { margin: 0 0 1rem; }
section > :last-child, noscript > :last-child { margin-bottom: 0; }
.lead { color: var(--soft); }
form { margin-top: 1.75rem; }
.field { margin-bottom: 1.5rem; }
label { display: block; font-weight: 600; }
.optional { color: var(--soft); font-weight: 400; }
.hint { margin: 0 0 0.5rem; color: var(--soft); font-size: 0.875rem; line-height: 1.5; }
.entry { position: relative; }
input {
  width: 100%; height: 2.875rem; padding: 0 0.75rem; font: inherit;
  color: var(--ink); background: var(--ground); border: 1px solid var(--edge); border-radius: 8px;
}
input[name="password"] { padding-right: 4.5rem; }
input[aria-invalid] { border-color: var(--fault); }
button { font: inherit; cursor: pointer; }
.reveal {
  position: absolute; right: 0.3125rem; top: 0.3125rem; height: 2.25rem; min-width: 3.75rem;
  color: var(--accent); background: none; border: 0; border-radius: 6px; font-size: 0.875rem; font-weight: 600;
}
.send {
  width: 100%; min-height: 2.875rem; margin-top: 0.25rem; padding: 0.5rem 1rem;
  color: var(--on-accent); background: var(--accent); border: 0; border-radius: 8px; font-weight: 600;
}
.send:hover { filter: brightness(1.08); }
.send:disabled { opacity: 0.6; cursor: default; }
input:focus-visible, button:focus-visible, a:focus-visible, pre:focus-visible, .refusal:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 2px;
}
.fault { margin: 0.5rem 0 0; color: var(--fault); font-size: 0.875rem; line-height: 1.5; }
.refusal {
  margin-bottom: 1.5rem; padding: 0.75rem 1rem;
  color: var(--fault); background: var(--fault-tint); border-radius: 8px;
}
#progress { margin: 0.75rem 0 0; text-align: center; }
#progress:empty { margin: 0; }
a { color: var(--accent); text-underline-offset: 0.15em; }
strong { overflow-wrap: anywhere; }
code { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre {
  margin: 0 0 1rem; padding: 0.75rem 1rem; overflow-x: auto;
  background: var(--code); border: 1px solid var(--line); border-radius: 8px;
}
@media (max-width: 34rem) {
  body { padding: 0; place-items: start stretch; background: var(--panel); }
  main { padding: 1.5rem 1.25rem 2.5rem; border: 0; border-radius: 0; }
}
@media (forced-colors: active) { .send, .refusal { border: 1px solid; } }
`;
