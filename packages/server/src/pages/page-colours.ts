/** The colours of a page: those of the console, by the names that they have there. */
export const colours = {
  light: {
    ground: "#fbfbfa",
    panel: "#ffffff",
    sunken: "#f1f3f4",
    ink: "#1d2125",
    soft: "#5b6570",
    accent: "#0b6e5f",
    "accent-hover": "#095c50",
    "accent-tint": "#e4f2ef",
    "on-accent": "#ffffff",
    edge: "#8b949d",
    line: "#e3e5e8",
    error: "#b3261e",
    "error-tint": "#fdecea",
  },
  dark: {
    ground: "#14171a",
    panel: "#1b1f23",
    sunken: "#23292e",
    ink: "#e6e8ea",
    soft: "#9aa4ae",
    accent: "#5cc8b4",
    "accent-hover": "#74d4c2",
    "accent-tint": "#17332f",
    "on-accent": "#0c1f1c",
    edge: "#6b7681",
    line: "#2c3238",
    error: "#ff9a90",
    "error-tint": "#3a1f1d",
  },
} as const;

const sans = `system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, sans-serif`;
const mono = `ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace`;

/** The colours and letters of all pages, by day and by night; paper is light. */
export const pageColours = `
:root { color-scheme: light dark; ${variables(colours.light)} --sans: ${sans}; --mono: ${mono}; }
@media screen and (prefers-color-scheme: dark) { :root { ${variables(colours.dark)} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font-family: var(--sans); }
.brand { display: inline-flex; align-items: center; gap: 8px; color: var(--accent); font-size: 17px; font-weight: 600;
  letter-spacing: -0.01em; text-decoration: none; }
.brand svg { width: 24px; height: 24px; flex: none; }`;

function variables(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(" ");
}
