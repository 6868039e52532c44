export { type ReportedTask, type ReportTaskOptions, reportTask, type TaskError } from "./report-task";
