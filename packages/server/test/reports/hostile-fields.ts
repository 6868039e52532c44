import { textLimits } from "@holdfast/api/conventions/text-limits";
import type { HostileText } from "./hostile-texts";
import { someError } from "./shapes";

/** A text that a runner can write. */
export interface TextField {
  /** As errors name it. */
  field: string;
  /** Stored form of a text here; null if it is refused. */
  becomes: (text: HostileText) => string | null;
  /** The reports that write it. The last one has it, those before it are harmless. */
  reports: (taskId: string, text: string) => object[];
  /** Reads it from a task; a field that is not there is an empty text. */
  // biome-ignore lint/suspicious/noExplicitAny: a task as it came.
  read: (task: any) => string;
  /** The name of its filter, where it has one that takes any text. */
  filter?: string;
}

const created = { category: "backup", type: "restic_backup", can_abort: true };
/** Begins a task. */
export const begin = (taskId: string, body: object = {}): object => ({
  operation: "create",
  task_id: taskId,
  body: { id: taskId, ...created, ...body },
});
const update = (taskId: string, body: object): object => ({ operation: "update", task_id: taskId, body });
const isShort = (text: string, longest: number) => [...text].length <= longest;

/** A name: refused unless it is one line of what can be seen. */
function name(
  field: string,
  longest: number,
  body: (text: string) => object,
  read: TextField["read"],
  filter?: string,
) {
  return {
    field,
    becomes: ({ text, line = text }: HostileText) => (line === null || !isShort(line, longest) ? null : line),
    reports: (taskId: string, text: string) => [begin(taskId, body(text))],
    read,
    ...(filter === undefined ? {} : { filter }),
  };
}

/** Stored form of a line that a program prints: refused only for its length. */
export function becomesSaid({ text, said = text }: HostileText, longest: number): string | null {
  return isShort(text, longest) ? said : null;
}

const becomesParagraph = ({ text, paragraph = text }: HostileText) =>
  text.length <= textLimits.errorText ? paragraph : null;
const becomesMessage = (text: HostileText) => becomesSaid(text, textLimits.progressMessage);
const becomesLog = ({ text, log }: HostileText) => (log === null ? null : text);
const failed = (error: object) => ({ status: "failed", error: { ...someError, ...error } });

/** Every text of a task but the reason of an abort, by every way to write it in a batch. Logs are read elsewhere. */
export const textFields: readonly TextField[] = [
  name(
    "/type",
    textLimits.taskType,
    (type) => ({ type }),
    (task) => task.type,
    "type",
  ),
  name(
    "/name",
    textLimits.name,
    (text) => ({ name: text }),
    (task) => task.name,
  ),
  name(
    "/primary_entity/type",
    textLimits.entityType,
    (type) => ({ primary_entity: { type, value: "v" } }),
    (task) => task.primary_entity.type,
  ),
  name(
    "/primary_entity/value",
    textLimits.entity,
    (value) => ({ primary_entity: { type: "t", value, id: "i" } }),
    (task) => task.primary_entity.value,
    "primary_entity.value",
  ),
  name(
    "/primary_entity/id",
    textLimits.entity,
    (id) => ({ primary_entity: { type: "t", value: "v", id } }),
    (task) => task.primary_entity.id,
    "primary_entity.id",
  ),
  name(
    "/runner/host",
    textLimits.runnerHost,
    (host) => ({ runner: { host, version: "1" } }),
    (task) => task.runner.host,
  ),
  name(
    "/runner/version",
    textLimits.runnerVersion,
    (version) => ({ runner: { host: "h", version } }),
    (task) => task.runner.version,
  ),
  {
    field: "/primary_entity/value",
    becomes: ({ text, line = text }) => (line === null || !isShort(line, textLimits.entity) ? null : line),
    reports: (id, value) => [begin(id), update(id, { primary_entity: { type: "updated", value, id: "i" } })],
    read: (task) => task.primary_entity.value,
  },
  {
    field: "/progress_message",
    becomes: becomesMessage,
    reports: (id, text) => [begin(id, { progress_message: text })],
    read: (task) => task.progress_message ?? "",
  },
  {
    field: "/progress_message",
    becomes: becomesMessage,
    reports: (id, text) => [begin(id), update(id, { progress_message: text })],
    read: (task) => task.progress_message ?? "",
  },
  {
    field: "/error/message",
    becomes: becomesParagraph,
    reports: (id, message) => [begin(id, failed({ message }))],
    read: (task) => task.error.message,
  },
  {
    field: "/error/remedy",
    becomes: becomesParagraph,
    reports: (id, remedy) => [begin(id), update(id, failed({ remedy }))],
    read: (task) => task.error.remedy,
  },
];

/** A log, by every way to write it in a batch. */
export const logFields: readonly Omit<TextField, "read">[] = [
  {
    field: "/log/text",
    becomes: becomesLog,
    reports: (id, text) => [begin(id, { log: { offset: 0, text } })],
  },
  {
    field: "/log/text",
    becomes: becomesLog,
    reports: (id, text) => [begin(id), update(id, { log: { offset: 0, text } })],
  },
  {
    field: "/text",
    becomes: becomesLog,
    reports: (id, text) => [begin(id), { operation: "log", task_id: id, body: { offset: 0, text } }],
  },
];
