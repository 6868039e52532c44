import { writeSync } from "node:fs";
import type { Progress } from "../engines/engine";
import type { Passthrough } from "../system/passthrough";

/** One line on the terminal that shows how far the command is. It gives way to the command's own output. */
export interface ProgressLine {
  update(progress: Progress): void;
  /** A writer that takes the line away first. */
  around(passthrough: Passthrough): Passthrough;
  end(): void;
}

const redrawMs = 500;
const erase = "\r\u001b[K";

/** Shows nothing. */
export const noProgressLine: ProgressLine = { update() {}, around: (passthrough) => passthrough, end() {} };

/** Makes the line on stderr, which is a terminal. */
export function createProgressLine(type: string): ProgressLine {
  const startedAt = performance.now();
  let latest: Progress = {};
  let isShown = false;
  let isAtLineStart = true;

  const write = (text: string) => {
    try {
      writeSync(2, text);
    } catch {
      // A terminal that has gone needs no line.
    }
  };
  const hide = () => {
    if (isShown) write(erase);
    isShown = false;
  };
  const show = () => {
    if (!isAtLineStart) return;
    const width = Math.max(20, (process.stderr.columns ?? 80) - 1);
    write(`${erase}${[...lineOf(type, latest, performance.now() - startedAt)].slice(0, width).join("")}`);
    isShown = true;
  };
  const timer = setInterval(show, redrawMs);
  timer.unref();

  return {
    update(progress) {
      latest = { ...latest, ...progress };
    },
    around: (passthrough) => async (bytes) => {
      hide();
      isAtLineStart = bytes.at(-1) === 10;
      return passthrough(bytes);
    },
    end() {
      clearInterval(timer);
      hide();
    },
  };
}

/** Text of the line: how much is done, how long it runs, and how long it will take. */
export function lineOf(type: string, { percentage, message }: Progress, runMs: number): string {
  const done = percentage === undefined || percentage === 0 ? [] : [`${percentage} %`];
  const isPredictable = percentage !== undefined && percentage >= 2 && percentage < 100 && runMs > 3_000;
  const left = isPredictable ? [`about ${clock((runMs * (100 - percentage)) / percentage)} left`] : [];
  const said = message === undefined ? [] : [printable(message)];
  return [type, ...done, clock(runMs), ...left, ...said].join("  ");
}

function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (number: number) => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Text from outside must not move the cursor. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, "\u00b7");
}
