import type { Task, WatchEvent } from "@holdfast/client";
import { useEffect, useRef, useState } from "react";
import { idleTracker } from "./idle-tracker";
import { useStore } from "./store";
import type { TaskFilter } from "./task-filter";
import { useClient } from "./unit";

/** Time for which events are collected before the page changes, in milliseconds. */
const batchWindowMs = 500;

export interface Watched {
  filter: TaskFilter;
  isOn: boolean;
  /** Number of tasks in the first answer; 0 if only later events are wanted. */
  snapshot?: number | undefined;
  /** Called with what has happened, in the order of events. */
  onEvents: (events: WatchEvent<Task>[]) => void;
}

/** Watches tasks while the tab can be seen. Says whether the stream is open. */
export function useWatchTasks({ filter, isOn, snapshot, onEvents }: Watched): "off" | "open" | "interrupted" {
  const client = useClient();
  const isHere = useStore(idleTracker) === "here";
  const [state, setState] = useState<"off" | "open" | "interrupted">("off");
  const take = useRef(onEvents);
  take.current = onEvents;
  const filterText = JSON.stringify(filter);

  useEffect(() => {
    if (!isOn || !isHere) {
      setState("off");
      return;
    }
    const stop = new AbortController();
    let gathered: WatchEvent<Task>[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      timer = undefined;
      const events = gathered;
      gathered = [];
      take.current(events);
    };
    const watch = async () => {
      const wanted: TaskFilter = JSON.parse(filterText);
      const events = client.tasks.watch({
        filter: wanted,
        ...(snapshot === undefined ? { snapshot: false } : { limit: snapshot }),
        signal: stop.signal,
        onOpen: () => setState("open"),
        onInterruption: () => setState("interrupted"),
      });
      for await (const event of events) {
        gathered.push(event);
        // The snapshot is shown at once.
        if (event.event === "snapshot") flush();
        else timer ??= setTimeout(flush, batchWindowMs);
      }
    };
    watch().catch(() => {
      if (!stop.signal.aborted) setState("interrupted");
    });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [client, filterText, isOn, isHere, snapshot]);
  return state;
}
