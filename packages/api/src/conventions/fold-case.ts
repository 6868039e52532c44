/**
 * Makes two texts that differ only in letter case equal, for every script. Lower-casing alone would keep apart what has
 * two lower-case forms (σ and ς) or an upper-case form of two letters (ß), so it goes there and back.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
