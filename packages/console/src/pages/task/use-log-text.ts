import type { Task } from "@holdfast/client";
import { useEffect, useRef, useState } from "react";
import { idleTracker } from "../../data/idle-tracker";
import { useStore } from "../../data/store";
import { useClient } from "../../data/unit";
import { isUnfinished } from "../../texts/task-words";
import { readLogText } from "./read-log-text";

const pause = 1_000;

export interface LogText {
  text: string;
  /** Number of bytes written; undefined until that is known. */
  size: number | undefined;
  /** True if the first line here is the first of the log, and none is missing. */
  isNumbered: boolean;
  error: unknown;
}

const nothing: LogText = { text: "", size: undefined, isNumbered: true, error: undefined };

/** Reads the log of a task: once where it has ended, and each second what is new while it runs. */
export function useLogText(task: Task): LogText {
  const client = useClient();
  const isHere = useStore(idleTracker) === "here";
  const [log, setLog] = useState(nothing);
  const next = useRef<number | undefined>(undefined);
  const isRunning = isUnfinished(task);
  const hasLog = isRunning || task._links.log !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another task has another log.
  useEffect(() => {
    next.current = undefined;
    setLog(nothing);
  }, [client, task.id]);

  useEffect(() => {
    if (!hasLog || !isHere) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readNew = async () => {
      const read = await readLogText(
        (query) => client.tasks.readLog(task.id, { ...query, signal: stop.signal }),
        next.current ?? 0,
      );
      next.current = read.next;
      setLog((before) => ({
        text: before.text + read.text,
        size: read.size,
        isNumbered: before.isNumbered && read.isWhole,
        error: undefined,
      }));
      if (isRunning) timer = setTimeout(go, pause);
    };
    const go = () =>
      void readNew().catch((error: unknown) => {
        if (stop.signal.aborted) return;
        setLog((before) => ({ ...before, error: before.text === "" ? error : undefined }));
        timer = setTimeout(go, pause * 5);
      });
    go();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [client, task.id, hasLog, isRunning, isHere]);
  return log;
}
