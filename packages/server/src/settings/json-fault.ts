/** Position at which a text stops being JSON, counted from 1, and what was expected there. */
export interface JsonFault {
  line: number;
  column: number;
  expected: string;
}

const space = /[ \t\n\r]*/y;
const scalar = /-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?(?![\w.+-])|(true|false|null)(?!\w)/y;
const string = /"([ !#-[\]-\uffff]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/** Finds the first place at which a text is no JSON. The runtime's own message does not say where it is. */
export function findJsonFault(text: string): JsonFault | undefined {
  let at = 0;
  let expected = "";

  /** Goes past what the pattern finds here. */
  function take(pattern: RegExp, wanted: string): boolean {
    space.lastIndex = at;
    at += space.exec(text)?.[0].length ?? 0;
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    else expected = wanted;
    return found !== null;
  }

  function list(close: RegExp, closing: string, element: () => boolean): boolean {
    if (take(close, closing)) return true;
    do {
      if (!element()) return false;
    } while (take(/,/y, ""));
    return take(close, `a comma or ${closing}`);
  }

  const member = () => take(string, 'a name in double quotes, such as "port"') && take(/:/y, "a colon") && value();

  function value(): boolean {
    if (take(/\{/y, "")) return list(/\}/y, "a closing brace", member);
    if (take(/\[/y, "")) return list(/\]/y, "a closing bracket", value);
    return take(string, "") || take(scalar, "a value: a text in double quotes, a number, true or false");
  }

  if (value() && take(/$/y, "the end of the file")) return undefined;
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, expected };
}
