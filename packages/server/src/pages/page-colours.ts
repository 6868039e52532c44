/** The colours of all pages, by day and by night. */
export const pageColours = `
:root {
  color-scheme: light dark;
  --ground: #fbfbfa; --panel: #ffffff; --ink: #1d2125; --soft: #5b6570; --line: #e3e5e8;
  --accent: #0b6e5f; --tint: #e4f2ef; --code: #f1f3f4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --panel: #1b1f23; --ink: #e6e8ea; --soft: #9aa4ae; --line: #2c3238;
    --accent: #5cc8b4; --tint: #17332f; --code: #23292e;
  }
}`;
