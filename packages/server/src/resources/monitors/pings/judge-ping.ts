import { judgeExitStatus } from "@holdfast/api/engines/exit-statuses";
import type { MonitorV1 } from "@holdfast/api/resources/monitors";
import type { UpdateTaskBody } from "@holdfast/api/resources/task-reports";
import type { Monitor } from "../state";
import type { Signal } from "./ping";

/** Ending of a run, in the fields of a report. */
export type PingEnding = Pick<UpdateTaskBody, "outcome" | "error"> & { status: "completed" | "failed" | "aborted" };

/** Maximum number of characters of a body that become the message of an error. */
const messageLength = 2_000;
const remedy = "Read the log of the run, here or on its host.";

/** Judges the ending of a run by what its ping says, what an exit status means for its type, and the rules for its body. */
export function judgePing(
  monitor: Pick<Monitor, "type" | "body_rules">,
  signal: Exclude<Signal, "start" | "log">,
  body: string,
): PingEnding {
  if (signal === "fail") return failed("command_failed", body, "A ping said that the run failed.");
  if (signal !== "success") return judgeStatus(monitor.type, signal.exitStatus, body);
  const rules: MonitorV1["body_rules"] = monitor.body_rules === null ? null : JSON.parse(monitor.body_rules);
  const has = (texts: readonly string[]) => texts.some((text) => body.includes(text));
  if (rules && has(rules.failure)) return failed("command_failed", body, "");
  if (rules && has(rules.warning)) return warned("command_failed", body, "");
  return { status: "completed", outcome: "success" };
}

function judgeStatus(type: string, status: number, body: string): PingEnding {
  const { outcome, isInterrupted, code } = judgeExitStatus(type, status);
  const message = `The exit status was ${status}.`;
  if (outcome === "warning") return warned(code, body, message);
  const ending = failed(code, body, message);
  return isInterrupted ? { ...ending, status: "aborted" } : ending;
}

function failed(code: string, body: string, otherwise: string): PingEnding {
  return { status: "failed", outcome: "error", error: { code, message: messageOf(body, otherwise), remedy } };
}

function warned(code: string, body: string, otherwise: string): PingEnding {
  return { status: "completed", outcome: "warning", error: { code, message: messageOf(body, otherwise), remedy } };
}

/** The end of the body: what went wrong is said last. */
function messageOf(body: string, otherwise: string): string {
  const text = body.trim() === "" ? otherwise : [...body.trimEnd()].slice(-messageLength).join("");
  // Colours and the like have no place in a message; the log keeps them.
  return text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "\ufffd");
}
