import type { Task } from "@holdfast/client";
import { roughDuration } from "../texts/durations";
import { SafeText } from "./safe-text";
import { useNow } from "./time-text";

/** Progress of a task that has not ended. Progress that is not known is no 0 %. */
export function TaskProgress({ task, isWide = false }: { task: Task; isWide?: boolean }) {
  const now = useNow();
  const since = task.start_timestamp ?? task.created_timestamp;
  const lasts = roughDuration(now - Date.parse(since));
  if (task.status === "queued") return <span className="soft nowrap">waiting for {lasts}</span>;
  const isKnown = task.progress_percentage > 0;
  return (
    <div className={isWide ? "stack-small progress-wide" : "progress-line"}>
      <ProgressBar percentage={isKnown ? task.progress_percentage : undefined} text={`running for ${lasts}`} />
      <span className={isWide ? "spread" : "progress-line"}>
        <span className={isKnown ? "progress-figure" : "nowrap"}>
          {isKnown ? `${task.progress_percentage} %` : `running for ${lasts}`}
        </span>
        {task.progress_message && (isWide || !isKnown) && (
          <span className="soft clip">
            <SafeText text={task.progress_message} maxLength={120} />
          </span>
        )}
        {isWide && isKnown && <span className="soft">running for {lasts}</span>}
      </span>
    </div>
  );
}

function ProgressBar({ percentage, text }: { percentage: number | undefined; text: string }) {
  const value = percentage === undefined ? {} : { "aria-valuenow": percentage };
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label="Progress"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={percentage === undefined ? text : `${percentage} %`}
      {...value}
    >
      {percentage === undefined ? (
        <div className="progress-fill progress-unknown" />
      ) : (
        <div className="progress-fill" style={{ transform: `scaleX(${percentage / 100})` }} />
      )}
    </div>
  );
}
