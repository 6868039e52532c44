/** Explains that a run was expected and did not begin until its grace ended. */
export function describeMissedRun(expectedAt: number, graceEndedAt: number): string {
  return `A run was expected at ${moment(expectedAt)}, and none had begun by ${moment(graceEndedAt)}, when its grace ended.`;
}

/** A time as people read it, to the second where it is not a whole minute. */
function moment(time: number): string {
  return `${new Date(time).toISOString().replace("T", " ").slice(0, 19).replace(/:00$/, "")} UTC`;
}
