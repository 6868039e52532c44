import { createTheme, localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Icon } from "./components/icons";
import { Notices } from "./components/notices";
import { queryClient } from "./data/query-client";
import { router } from "./router";

/** Its shades are variables of our own, which differ by day and by night; the style sheet has them. */
const shade = "#0b6e5f";

const quick = { duration: 120 };

const theme = createTheme({
  colors: { accent: [shade, shade, shade, shade, shade, shade, shade, shade, shade, shade] },
  primaryColor: "accent",
  respectReducedMotion: true,
  defaultRadius: "sm",
  cursorType: "pointer",
  components: {
    // Its element has a place among the items that no menu may have.
    Menu: { defaultProps: { position: "bottom-end", withInitialFocusPlaceholder: false, transitionProps: quick } },
    Switch: { defaultProps: { withThumbIndicator: false } },
    InputWrapper: { defaultProps: { withAsterisk: false } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { "aria-label": "Show password" } } },
    // Scrolling is locked by the style sheet: the library would write a style into the page.
    Modal: { defaultProps: { lockScroll: false, closeButtonProps: { "aria-label": "Close" }, transitionProps: quick } },
    Popover: { defaultProps: { transitionProps: quick } },
    NativeSelect: { defaultProps: { rightSection: <Icon name="down" size={16} /> } },
  },
});
const schemes = localStorageColorSchemeManager({ key: "holdfast-scheme" });

/** The console. No style is written into the page: the policy of its document allows none. */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={schemes}
      withCssVariables={false}
      withGlobalClasses={false}
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notices />
      </QueryClientProvider>
    </MantineProvider>
  );
}
