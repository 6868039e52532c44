import type { Task } from "@holdfast/client";
import { useEffect, useRef, useState } from "react";
import { attention } from "../../data/attention";
import { useStore } from "../../data/store";
import { useClient } from "../../data/unit";
import { isUnfinished } from "../../texts/task-words";

const mostBytes = 1_048_576;
const pause = 1_000;

export interface LogText {
  text: string;
  /** How many bytes were written in all; undefined until that is known. */
  size: number | undefined;
  droppedBytes: number;
  /** Whether the first line here is the first of the log, and none is missing. */
  isNumbered: boolean;
  error: unknown;
}

const nothing: LogText = { text: "", size: undefined, droppedBytes: 0, isNumbered: true, error: undefined };

/** Reads the log of a task: once where it has ended, and each second what is new while it runs. */
export function useLogText(task: Task): LogText {
  const client = useClient();
  const isHere = useStore(attention) === "here";
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
    const read = async () => {
      const options = { signal: stop.signal, limit: mostBytes };
      let piece = await client.tasks.readLog(task.id, { ...options, offset: next.current ?? 0 });
      let isTail = false;
      if (next.current === undefined && piece.next_offset < piece.size) {
        // Too long for one request: its end is what people look for.
        piece = await client.tasks.readLog(task.id, { signal: stop.signal, tail: mostBytes });
        isTail = true;
      }
      next.current = piece.next_offset;
      const dropped = piece.dropped ? piece.dropped.to - piece.dropped.from : 0;
      setLog((before) => ({
        text: before.text + piece.text,
        size: piece.size,
        droppedBytes: before.droppedBytes + dropped,
        isNumbered: before.isNumbered && !isTail && dropped === 0,
        error: undefined,
      }));
      if (isRunning) timer = setTimeout(go, pause);
    };
    const go = () =>
      void read().catch((error: unknown) => {
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
