import type { Environment } from "./engine";

function setting(environment: Environment, category: string): string {
  return environment.LC_ALL || environment[category] || environment.LANG || "C";
}

/** True if a program that translates its messages writes them in English here. */
export function writesEnglish(environment: Environment): boolean {
  const messages = setting(environment, "LC_MESSAGES");
  if (/^(C|POSIX)(\.|$)/.test(messages)) return true;
  return /^en/.test(environment.LANGUAGE || messages);
}

/** True if text is written in UTF-8 here. Python takes C for UTF-8, too. */
export function writesUtf8(environment: Environment): boolean {
  if (environment.PYTHONIOENCODING) return false;
  return /^(C|POSIX)$|utf-?8/i.test(setting(environment, "LC_CTYPE"));
}
