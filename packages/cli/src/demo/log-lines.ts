import type { Random } from "./random";

/** Facts about a run whose log is made up. */
export interface LoggedRun {
  type: string;
  /** Entity that it works on. */
  entity: string;
  /** The line that it ended with, where it failed. */
  fault?: string | undefined;
  isIncomplete?: boolean | undefined;
}

const folders = ["/etc", "/home", "/srv/www", "/var/lib/postgresql", "/srv/projects", "/var/mail"];

/** Makes up the log of a run: how it begins, what it does, and how it ends. */
export function inventLog(random: Random, run: LoggedRun): string[] {
  const steps = Array.from({ length: random.whole(4, 12) }, () => stepLine(random, run.type));
  return [firstLine(run), ...steps, ...lastLines(random, run)];
}

/** First line of the log of a run. */
export function firstLine({ type, entity }: LoggedRun): string {
  return `${type.replaceAll("_", " ")} of ${entity} started`;
}

/** A line that a run writes while it works. */
export function stepLine(random: Random, type: string): string {
  const size = (random.whole(2, 900) / 10).toFixed(1);
  if (/^pgbackrest|^xtrabackup/.test(type))
    return `copied base/${random.whole(1, 9)}/${random.whole(10_000, 99_999)} (${size} MiB)`;
  if (/prune|compact|expire|check|scrub/.test(type))
    return `${random.whole(1, 400)} packs looked at, ${random.whole(0, 60)} rewritten`;
  return `${random.pick(folders)}: ${random.whole(3, 4_000)} files, ${size} GiB`;
}

/** Last lines of the log of a run. */
export function lastLines(random: Random, { fault, isIncomplete }: LoggedRun): string[] {
  if (fault !== undefined) return [fault];
  const skipped = isIncomplete ? [`${random.whole(1, 40)} files could not be read (permission denied)`] : [];
  return [...skipped, `done: ${random.whole(100, 90_000)} files, ${random.whole(1, 400)} GiB processed`];
}
