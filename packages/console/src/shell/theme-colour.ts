import { useComputedColorScheme } from "@mantine/core";
import { useEffect } from "react";

const headers = { light: "#ffffff", dark: "#1b1f23" };

/** Lets the browser draw what it has around the page in the colour of the header, also after the scheme was changed. */
export function useThemeColour(): void {
  const scheme = useComputedColorScheme("light");
  useEffect(() => {
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      meta.content = headers[scheme];
    }
  }, [scheme]);
}
