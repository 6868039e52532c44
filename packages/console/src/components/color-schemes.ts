import { useMantineColorScheme } from "@mantine/core";

/** The colours that a person can choose in this browser. */
export const colorSchemes = [
  ["auto", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

/** The colours that are chosen, and how they are changed. Mantine would write a style into the page, which its policy forbids. */
export function useColorScheme() {
  return useMantineColorScheme({ keepTransitions: true });
}
