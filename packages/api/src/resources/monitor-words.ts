/** The states of a monitor, in the order in which they are sorted: what needs attention first. */
export const monitorStates = ["missed", "failed", "late", "waiting", "ok", "paused"] as const;

export type MonitorState = (typeof monitorStates)[number];
