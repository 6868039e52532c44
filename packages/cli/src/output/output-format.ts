import { InvalidArgumentError, Option } from "commander";

/** How a result is printed. */
export const outputFormats = ["table", "json", "ndjson", "csv", "id"] as const;

export type OutputFormat = (typeof outputFormats)[number];

/** What the options of a command say about its output. */
export interface OutputFlags {
  output?: OutputFormat;
  json?: true;
}

/** The format that was asked for. */
export function formatOf({ output, json }: OutputFlags): OutputFormat | undefined {
  return json ? "json" : output;
}

/** The options that choose a format. */
export function outputOptions(usual: string): Option[] {
  return [
    new Option("-o, --output <format>", `How to print it: ${outputFormats.join(", ")}. (default: ${usual})`).argParser(
      parseFormat,
    ),
    new Option("--json", "The same as -o json."),
  ];
}

function parseFormat(text: string): OutputFormat {
  const format = outputFormats.find((one) => one === text);
  if (!format) throw new InvalidArgumentError(`Write one of ${outputFormats.join(", ")}.`);
  return format;
}
