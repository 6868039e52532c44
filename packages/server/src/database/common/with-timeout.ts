import { DatabaseUnavailable } from "../errors";

const steps = 3;

/** Gives up on the database's answer after so many milliseconds in which this process was awake to read it. */
export function withTimeout<Result>(answer: Promise<Result>, timeoutMs: number): Promise<Result> {
  if (!Number.isFinite(timeoutMs)) return answer;
  return new Promise((resolve, reject) => {
    const step = timeoutMs / steps;
    let left = steps;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      const due = performance.now() + step;
      timer = setTimeout(() => {
        // A late timer means a busy process, not a silent database.
        if (performance.now() - due < step) left -= 1;
        if (left > 0) wait();
        else reject(new DatabaseUnavailable("The database does not answer."));
      }, step);
    };
    wait();
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
