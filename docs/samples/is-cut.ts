/** True if only the beginning or the end of an answer is shown, as after `cut -c` or `tail -c`. */
export function isCut(text: string): boolean {
  const trimmed = text.trim();
  return !/^[[{]/.test(trimmed) || !/[\]}]$/.test(trimmed);
}
