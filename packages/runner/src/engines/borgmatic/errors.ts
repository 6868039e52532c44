import { signs as borgSigns } from "../borg/errors";
import type { Sign } from "../diagnostics";

export const errorLine = /error|exception|denied|failed|does not exist|\[Errno \d+\]/i;

/** borgmatic repeats what borg says. */
export const signs: readonly Sign[] = [
  ...borgSigns,
  {
    pattern: /No valid configuration files found|Error parsing configuration|unrecognized arguments/i,
    code: "wrong_usage",
  },
  { pattern: /Source directories do not exist|: \[Errno 2\] No such file or directory/i, code: "source_missing" },
];
