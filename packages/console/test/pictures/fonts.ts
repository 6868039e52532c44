import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../../server/test/harness";

/** Fonts that desktops use, best first: a server has none of them, and would draw with DejaVu. */
const wanted = ["Inter", "Cantarell", "Ubuntu", "Noto Sans"];
const wantedMono = ["JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono"];

/** Lets browsers that are started from now on draw with a font that people have, where one is installed. */
export function drawWithDesktopFont(): void {
  const alias = (family: string, prefer: readonly string[]) =>
    `<match target="pattern"><test name="family"><string>${family}</string></test><edit name="family" mode="prepend" binding="strong">${prefer.map((name) => `<string>${name}</string>`).join("")}</edit></match>`;
  const file = join(makeFolder(), "fonts.conf");
  writeFileSync(
    file,
    `<?xml version="1.0"?><fontconfig><include>/etc/fonts/fonts.conf</include>${["system-ui", "sans", "sans-serif"].map((family) => alias(family, wanted)).join("")}${alias("ui-monospace", wantedMono)}</fontconfig>`,
  );
  process.env.FONTCONFIG_FILE = file;
}
