/** Way in which the command comes to a host. No registry of packages has it: one that is fetched by that name is another program. */
export const installHint = '# once: copy the executable holdfast to this host, see "Install Holdfast"';

/** A text as it stands between single quotes of a shell. */
export function inSingleQuotes(text: string): string {
  return text.replaceAll("'", `'\\''`);
}

/** A text as one word of a shell, quoted where it has to be. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${inSingleQuotes(text)}'`;
}
