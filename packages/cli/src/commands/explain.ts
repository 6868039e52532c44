import { Refusal } from "@holdfast/server/settings/refusal";
import { Command } from "commander";
import { nearest } from "../grammar/nearest";
import { addExamples } from "../grammar/noun";
import { formatOf, type OutputFlags, outputOptions } from "../output/output-format";
import { printItem } from "../output/print-items";

/** Explanation of a code. */
interface Explanation {
  code: string;
  name: string;
  meaning: string;
  remedy: string;
}

/** Says what a code means: of an answer of the API, or of a task that failed. */
export function explainCommand(): Command {
  const command = new Command("explain")
    .description(
      "Say what a code means: of a refusal of the API (40302), or of a task that failed (repository_locked).",
    )
    .argument("<code>", "The number, or the word.");
  for (const option of outputOptions("table")) command.addOption(option);
  addExamples(command, ["holdfast explain 40302", "holdfast explain repository_locked"]);
  return command.action(async (code: string, flags: OutputFlags) => {
    const explanation = (await ofAnswer(code)) ?? (await ofTask(code));
    if (!explanation) throw new Refusal(await unknown(code));
    await printItem(formatOf(flags) ?? "table", explanation, { id: (one) => one.code });
  });
}

async function ofAnswer(code: string): Promise<Explanation | undefined> {
  const { errorCatalogue } = await import("@holdfast/api/conventions/error-catalogue");
  const found = Object.entries(errorCatalogue).find(([name, one]) => String(one.code) === code || name === code);
  if (!found) return undefined;
  const [name, { code: number, meaning }] = found;
  const status = String(number).slice(0, 3);
  return {
    code: String(number),
    name,
    meaning,
    remedy: `The HTTP status is ${status}. The message of the answer says what to do.`,
  };
}

async function ofTask(code: string): Promise<Explanation | undefined> {
  const { errorCodes } = await import("@holdfast/runner/error-codes");
  const found = Object.entries(errorCodes).find(([name]) => name === code);
  return found && { code, name: code, meaning: found[1].cause, remedy: found[1].remedy };
}

async function unknown(code: string): Promise<string> {
  const [{ errorCatalogue }, { errorCodes }] = await Promise.all([
    import("@holdfast/api/conventions/error-catalogue"),
    import("@holdfast/runner/error-codes"),
  ]);
  const known = [...Object.keys(errorCodes), ...Object.values(errorCatalogue).map((one) => String(one.code))];
  const near = nearest(code, known);
  const advice =
    near === undefined ? "Programs that report tasks may use codes of their own." : `Did you mean ${near}?`;
  return `There is no code ${code} here. ${advice}`;
}
