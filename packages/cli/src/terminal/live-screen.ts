import type { TerminalStream } from "./colours";

/** Stream that a live screen draws on: standard output in a command. */
export interface LiveStream extends TerminalStream {
  readonly rows?: number;
  write(text: string): unknown;
}

/** A screen that is drawn again and again, and leaves nothing behind. */
export interface LiveScreen {
  /** Draws lines, as many as fit. They have to be as wide as the screen at most. */
  draw(lines: readonly string[]): void;
  /** Gives the terminal back as it was. */
  close(): void;
}

const open = "\x1b[?1049h\x1b[?25l";
const shut = "\x1b[?25h\x1b[?1049l";

/** Opens a screen of its own on a terminal: what was there before comes back when it is closed, however that happens. */
export function openLiveScreen(stream: LiveStream): LiveScreen {
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    process.off("exit", close);
    stream.write(shut);
  };
  process.on("exit", close);
  stream.write(open);
  return {
    draw(lines) {
      if (!isOpen) return;
      const shown = lines.slice(0, stream.rows ?? 24);
      // Line by line over what was there: a screen that is cleared first flickers.
      stream.write(`\x1b[H${shown.map((line) => `${line}\x1b[K`).join("\r\n")}\x1b[J`);
    },
    close,
  };
}
