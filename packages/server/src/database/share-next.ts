/**
 * Lets many callers share few runs of some work. Whoever asks while a run is under way gets the result of the next one,
 * together with all who ask until that begins: so a result always belongs to a run that began after it was asked for.
 */
export function shareNext<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | undefined;
  let following: Promise<Result> | undefined;

  function start(): Promise<Result> {
    const run = work();
    current = run;
    const end = () => {
      if (!following) current = undefined;
    };
    run.then(end, end);
    return run;
  }

  return () => {
    if (!current) return start();
    const startFollowing = () => {
      following = undefined;
      return start();
    };
    following ??= current.then(startFollowing, startFollowing);
    return following;
  };
}
