/** Where a progress bar draws: standard error in the command, anything alike in a test. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressBar {
  advance(count: number): void;
  /** Goes on to something else, of which so much is done. */
  show(label: string, reached: number, total: number): void;
  /** Clears the line, so that what follows starts clean. */
  done(): void;
}

const redrawEvery = 50;
const widest = 40;

/** Draws a bar on a terminal and stays silent anywhere else, so that logs and pipes hold no drawing. */
export function createProgressBar(options: { label: string; total: number; stream: ProgressStream }): ProgressBar {
  const { stream } = options;
  if (stream.isTTY !== true) {
    return { advance: () => {}, show: () => {}, done: () => {} };
  }
  let { label, total } = options;
  let reached = 0;
  let drawnAt = -Infinity;
  const draw = () => {
    const share = total > 0 ? Math.min(1, reached / total) : 0;
    const percent = `${Math.floor(share * 100)}%`.padStart(4);
    const room = (stream.columns ?? 80) - label.length - percent.length - 4;
    const width = Math.max(0, Math.min(widest, room));
    const filled = Math.floor(share * width);
    stream.write(`\r\x1b[2K${label} ${"█".repeat(filled)}${"░".repeat(width - filled)} ${percent}`);
  };
  return {
    advance(count) {
      reached += count;
      const now = performance.now();
      if (now - drawnAt >= redrawEvery) {
        drawnAt = now;
        draw();
      }
    },
    show(nextLabel, nextReached, nextTotal) {
      label = nextLabel;
      reached = nextReached;
      total = nextTotal;
      draw();
    },
    done() {
      stream.write("\r\x1b[2K");
    },
  };
}
