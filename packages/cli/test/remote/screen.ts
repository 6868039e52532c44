/** Screen of a terminal after some output: as much of one as our programs use. */
export interface Screen {
  lines: string[];
  /** True if the cursor is visible, and if the screen is the normal one. */
  isCursorShown: boolean;
  isMain: boolean;
}

/** Plays what was written to a terminal. An escape sequence that is not ours throws. */
export function play(written: string): Screen {
  const main: string[] = [""];
  const other: string[] = [""];
  const state = { row: 0, column: 0, savedRow: 0, isMain: true, isCursorShown: true };
  const lines = () => (state.isMain ? main : other);
  const put = (text: string) => {
    const line = [...(lines()[state.row] ?? "")];
    while (line.length < state.column) line.push(" ");
    line.splice(state.column, 1, text);
    lines()[state.row] = line.join("");
    state.column += 1;
  };
  const sequences: [RegExp, (given: string) => void][] = [
    [/^\ue000\[\?1049h/, () => Object.assign(state, { isMain: false, savedRow: state.row, row: 0, column: 0 })],
    [/^\ue000\[\?1049l/, () => Object.assign(state, { isMain: true, row: state.savedRow, column: 0 })],
    [/^\ue000\[\?25h/, () => Object.assign(state, { isCursorShown: true })],
    [/^\ue000\[\?25l/, () => Object.assign(state, { isCursorShown: false })],
    [/^\ue000\[\?2004[hl]/, () => {}],
    [/^\ue000\[H/, () => Object.assign(state, { row: 0, column: 0 })],
    [/^\ue000\[0?K/, () => (lines()[state.row] = [...(lines()[state.row] ?? "")].slice(0, state.column).join(""))],
    [/^\ue000\[2K/, () => (lines()[state.row] = "")],
    [/^\ue000\[0?J/, () => lines().splice(state.row + 1)],
    [/^\ue000\[\d*G/, (given) => Object.assign(state, { column: Number(given.slice(2, -1) || 1) - 1 })],
    [/^\ue000\[[\d;]*m/, () => {}],
    [/^\r/, () => Object.assign(state, { column: 0 })],
    [/^\n/, () => Object.assign(state, { row: state.row + 1, column: 0 })],
    [/^[^\p{Cc}\ue000]/u, put],
  ];
  for (let rest = written.replaceAll("\x1b", "\ue000"); rest !== ""; ) {
    const [pattern, act] = sequences.find(([one]) => one.test(rest)) ?? [];
    const [given = ""] = pattern?.exec(rest) ?? [];
    expectKnown(given, rest);
    act?.(given);
    rest = rest.slice(given.length);
    lines()[state.row] ??= "";
  }
  return { lines: main.map((line) => line.trimEnd()), isCursorShown: state.isCursorShown, isMain: state.isMain };
}

function expectKnown(given: string, rest: string): asserts given {
  const message = `A terminal would obey ${JSON.stringify(rest.slice(0, 20))}.`;
  if (given === "") throw new Error(message);
}
