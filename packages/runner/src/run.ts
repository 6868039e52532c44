export { run } from "./run/run";
export { runHelp } from "./run/run-options";
