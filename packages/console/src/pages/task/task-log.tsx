import type { Task } from "@holdfast/client";
import { Button, Switch, TextInput } from "@mantine/core";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { Panel } from "../../components/panel";
import { saveText } from "../../components/save-text";
import { ErrorState } from "../../components/states";
import { useClient } from "../../data/unit";
import { visibleText } from "../../texts/foreign-text";
import { counted, sizeText } from "../../texts/numbers";
import { isUnfinished } from "../../texts/task-words";
import { lineAt, lineOffsets } from "./log-lines";
import { useLogText } from "./use-log-text";

/** Lines are put into blocks, which the browser lays out only when they come near. */
const linesPerBlock = 200;

/** The log of a task, from its end. While the task runs, the end is followed unless the person scrolls up. */
export function TaskLog({ task }: { task: Task }) {
  const client = useClient();
  const isRunning = isUnfinished(task);
  const { text, size, isNumbered, error } = useLogText(task);
  const { find: searched }: { find?: string | undefined } = useSearch({ strict: false });
  const navigate = useNavigate();
  const find = searched ?? "";
  const setFind = (text: string) =>
    void navigate({
      to: ".",
      search: (before: object) => ({ ...before, find: text === "" ? undefined : text }),
      hash: true,
      replace: true,
    });
  const marked = useMarkedByte();
  const [isFollowing, setFollowing] = useState(marked === undefined);
  const [wraps, setWraps] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => (text === "" ? [] : visibleText(text).replace(/\n$/, "").split("\n")), [text]);
  const offsets = useMemo(() => (isNumbered ? lineOffsets(text) : []), [text, isNumbered]);
  const wanted = find.trim().toLocaleLowerCase();
  const found = useMemo(
    () =>
      wanted === ""
        ? undefined
        : new Set(lines.flatMap((line, at) => (line.toLocaleLowerCase().includes(wanted) ? [at] : []))),
    [lines, wanted],
  );
  const markedLine = marked === undefined || !isNumbered ? undefined : lineAt(text, marked);
  useEffect(() => {
    if (markedLine === undefined) return;
    frame.current?.querySelector(`[data-line="${markedLine}"]`)?.scrollIntoView({ block: "center" });
  }, [markedLine]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines are what is followed.
  useEffect(() => {
    if (isFollowing && frame.current) frame.current.scrollTop = frame.current.scrollHeight;
  }, [isFollowing, lines, wraps]);

  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = frame.current ?? {
      scrollTop: 0,
      scrollHeight: 0,
      clientHeight: 0,
    };
    const isAtEnd = scrollHeight - scrollTop - clientHeight < 24;
    if (isFollowing !== isAtEnd) setFollowing(isAtEnd);
  };
  const download = async () => saveText(await client.tasks.downloadLog(task.id), `task-${task.id}.log`, "text/plain");
  const blocks = Array.from({ length: Math.ceil(lines.length / linesPerBlock) }, (_, at) => at * linesPerBlock);
  return (
    <Panel
      title={size === undefined ? "Log" : `Log · ${sizeText(size)}`}
      aside={
        lines.length > 0 && (
          <span className="row log-tools no-print">
            <TextInput
              type="search"
              size="xs"
              aria-label="Search in log"
              placeholder="Search in log"
              value={find}
              onChange={(event) => setFind(event.currentTarget.value)}
            />
            {found && <span className="small soft">{counted(found.size, "line")}</span>}
            {isRunning && (
              <Switch
                size="xs"
                label="Follow"
                checked={isFollowing}
                onChange={(event) => setFollowing(event.currentTarget.checked)}
              />
            )}
            <Switch
              size="xs"
              label="Wrap"
              checked={wraps}
              onChange={(event) => setWraps(event.currentTarget.checked)}
            />
            <a
              href={`#${task.id}`}
              onClick={(event) => {
                event.preventDefault();
                void download();
              }}
            >
              Download log
            </a>
          </span>
        )
      }
    >
      {error ? <ErrorState error={error} /> : null}
      {lines.length === 0 && !error && (
        <p className="soft">
          {isRunning ? "Nothing was logged yet." : "This task has no log, or it is not kept any more."}
        </p>
      )}
      {lines.length > 0 && (
        <div
          ref={frame}
          role="log"
          aria-label="Task log"
          aria-live="off"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
          tabIndex={0}
          className={wraps ? "log log-wraps" : "log"}
          onScroll={onScroll}
        >
          {blocks.map((begin) => (
            <div key={begin} className="log-block">
              {lines.slice(begin, begin + linesPerBlock).map((line, at) => {
                const number = begin + at;
                if (found && !found.has(number)) return null;
                return (
                  <div
                    key={number}
                    data-line={number}
                    className={found || number === markedLine ? "log-line log-found" : "log-line"}
                  >
                    {isNumbered && (
                      <a className="log-number" href={`#b${offsets[number]}`} tabIndex={-1}>
                        {number + 1}
                      </a>
                    )}
                    <bdi dir="auto">{line || " "}</bdi>
                  </div>
                );
              })}
            </div>
          ))}
        </div>
      )}
      {lines.length > 0 && !isFollowing && (
        <div className="centred">
          <Button size="xs" variant="light" onClick={() => setFollowing(true)}>
            {isRunning ? "Jump to newest" : "Jump to the end"}
          </Button>
        </div>
      )}
    </Panel>
  );
}

/** The byte of the log that the address names: `#b65310`. */
function useMarkedByte(): number | undefined {
  const { hash } = useLocation();
  return /^b\d{1,15}$/.test(hash) ? Number(hash.slice(1)) : undefined;
}
