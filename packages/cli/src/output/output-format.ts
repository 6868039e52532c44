import { Option } from "commander";
import { parseChoice } from "../grammar/argument-parsers";

/** Formats of a result. */
export const outputFormats = ["table", "json", "ndjson", "csv", "id"] as const;

export type OutputFormat = (typeof outputFormats)[number];

/** Options for the output of a command. */
export interface OutputFlags {
  output?: OutputFormat;
  json?: true;
}

/** The format that was asked for. */
export function formatOf({ output, json }: OutputFlags): OutputFormat | undefined {
  return json ? "json" : output;
}

/** The options that choose a format. */
export function outputOptions(defaultValue: string): Option[] {
  return [
    new Option(
      "-o, --output <format>",
      `How to print it: ${outputFormats.join(", ")}. (default: ${defaultValue})`,
    ).argParser(parseChoice(outputFormats)),
    new Option("--json", "The same as -o json."),
  ];
}
