import { z } from "zod";
import { textField, wholeNumberField } from "../conventions/body-fields";
import { itemLinks } from "../conventions/hal";
import { textLimits } from "../conventions/text-limits";
import { attemptField } from "./task-attempt";

/** Default and maximum number of bytes in one read of a log. */
export const logReadSizes = { default: 65_536, max: 1_048_576 } as const;

/** A piece of a log. Positions are bytes of UTF-8. */
const piece = {
  offset: wholeNumberField(0, Number.MAX_SAFE_INTEGER).describe(
    "Where the text begins: how many bytes come before it.",
  ),
  text: textField(textLimits.log, `at most ${textLimits.log} bytes`).describe(
    "The text, without NUL characters. What lies before the end of the log is passed over.",
  ),
  gap: z.boolean().optional().describe("Whether the bytes between the end of the log and the offset are gone."),
};

export const logPiece = z
  .strictObject(piece)
  .describe("A piece of the log, which is written together with the report.");

export const appendTaskLogBody = z
  .object({ attempt: attemptField, ...piece })
  .meta({ examples: [{ offset: 0, text: "scan finished in 1.2 s\n" }] });

export type LogPiece = z.infer<typeof logPiece>;

export const appendedLog = z.object({ log_size: z.int().describe("How many bytes the log has now.") });

/** A number in a query: the client takes it as one. */
type NumberParameter = z.ZodType<string, string | number>;

export const taskLogParameters: Record<"offset" | "limit" | "tail", NumberParameter> = {
  offset: z.string().describe("The byte to begin at. 0 where it is left out."),
  limit: z
    .string()
    .describe(`Number of bytes to read: ${logReadSizes.default} by default, at most ${logReadSizes.max}.`),
  tail: z
    .string()
    .describe(
      "Number of the last bytes to read, instead of `offset` and `limit`. If some of them are missing, those behind the last gap.",
    ),
};

export const taskLog = z.object({
  task_id: z.string().describe("The task whose log it is."),
  offset: z.int().describe("Where the text begins, in bytes."),
  text: z.string().describe("The text. It ends between characters."),
  next_offset: z.int().describe("Where to go on."),
  size: z.int().describe("How many bytes were written in all."),
  dropped: z
    .object({ from: z.int(), to: z.int() })
    .nullable()
    .describe("The bytes that are not kept and were passed over before the text; or null."),
  is_complete: z.boolean().describe("Whether the text reaches the end, and the task has ended."),
  _links: itemLinks,
});

export type TaskLog = z.infer<typeof taskLog>;
