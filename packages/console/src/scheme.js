// Runs before the first paint, and before the script of the console is there: a page in the dark does not begin in white.
const chosen = localStorage.getItem("holdfast-scheme");
const isDark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.setAttribute("data-mantine-color-scheme", isDark ? "dark" : "light");
for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.content = isDark ? "#1b1f23" : "#ffffff";
