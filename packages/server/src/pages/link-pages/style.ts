import { pageColours } from "../page-colours";

/** The one style of the pages: that of the console's sign-in page. */
export const linkPageStyle = `${pageColours}
[hidden] { display: none !important; }
body { min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: 16px; font-size: 14px; line-height: 22px; }
main {
  width: 100%; max-width: 440px; padding: 32px;
  background: var(--panel); border: 1px solid var(--line); border-radius: 12px;
}
.brand { margin: 0 0 16px; }
h1 { margin: 0 0 8px; font-size: 26px; font-weight: 600; line-height: 32px; letter-spacing: -0.015em; }
h1:focus { outline: 0; }
p { margin: 0 0 12px; }
section > :last-child, noscript > :last-child { margin-bottom: 0; }
.lead { color: var(--soft); }
form { margin-top: 20px; }
.field { margin-bottom: 16px; }
label { display: block; margin-bottom: 2px; font-weight: 600; }
.optional { color: var(--soft); font-weight: 400; }
.hint { margin: 0 0 6px; color: var(--soft); font-size: 12px; line-height: 16px; }
.entry { position: relative; }
input {
  width: 100%; height: 36px; padding: 0 12px; font: inherit;
  color: var(--ink); background: var(--panel); border: 1px solid var(--edge); border-radius: 6px;
}
input[name="password"] { padding-right: 64px; }
input[aria-invalid] { border-color: var(--error); }
button { font: inherit; cursor: pointer; }
.reveal {
  position: absolute; right: 4px; top: 4px; height: 28px; min-width: 52px;
  color: var(--accent); background: none; border: 0; border-radius: 4px; font-size: 13px; font-weight: 600;
}
.send {
  width: 100%; min-height: 36px; margin-top: 4px; padding: 6px 16px;
  color: var(--on-accent); background: var(--accent); border: 0; border-radius: 6px; font-weight: 600;
}
.send:hover { background: var(--accent-hover); }
.send:disabled { opacity: 0.6; cursor: default; }
button:focus-visible, a:focus-visible, .refusal:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
input:focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; border-color: var(--accent); }
.fault { margin: 4px 0 0; color: var(--error); font-size: 12px; line-height: 16px; }
.refusal { margin-bottom: 16px; padding: 12px 16px; color: var(--error); background: var(--error-tint); border-radius: 8px; }
#progress { margin: 12px 0 0; text-align: center; }
#progress:empty { margin: 0; }
a { color: var(--accent); text-underline-offset: 3px; }
.open {
  display: block; margin: 20px 0 16px; padding: 7px 16px; text-align: center; text-decoration: none;
  color: var(--on-accent); background: var(--accent); border-radius: 6px; font-weight: 600;
}
.open:hover { background: var(--accent-hover); }
strong { overflow-wrap: anywhere; }
code { font: 12.5px/20px var(--mono); background: var(--sunken); border-radius: 4px; padding: 1px 4px; }
@media (max-width: 900px) { input, .send { height: 44px; } .reveal { height: 36px; } }
@media (max-width: 480px) { main { padding: 24px 20px; } }
@media (forced-colors: active) { .send, .refusal, .open { border: 1px solid; } }
`;
