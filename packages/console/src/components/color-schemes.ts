/** How the console can look, with the words for it. */
export const colorSchemes = [
  ["auto", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;
