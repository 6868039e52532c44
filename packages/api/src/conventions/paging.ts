import { z } from "zod";
import { type Fault, quote } from "./api-error";
import { link } from "./hal";

/** Default and maximum number of items on a page. */
export interface PageSizes {
  default: number;
  maximum: number;
}

export const defaultPageSizes: PageSizes = { default: 100, maximum: 1000 };

/** The query parameters that every list has, and what they mean. */
export const listParameters = {
  limit: "Items per page, as a whole number. A number above the maximum is served as the maximum.",
  start: "Page number, from 1. Beside a cursor it is only a label.",
  filter: "A JSON object; see the fields below.",
  cursor: "Where a walk over `next` or `prev` goes on. Opaque: take it from a link.",
} as const;

export type ListParameter = keyof typeof listParameters;

export const listParameterNames: readonly ListParameter[] = ["limit", "start", "filter", "cursor"];

/** The number of a page as a regular expression, for descriptions. */
export const pageNumberPattern = "^[1-9][0-9]*$";

const wholeNumber = /^(0|[1-9][0-9]*)$/;
/** Beyond every list, and still exact as a number when it is multiplied by a page size. */
const furthestPage = 1e12;

/** Reads `limit`; empty and 0 mean that it was not given, and more than the maximum is the maximum. */
export function parseLimit(text: string | undefined, sizes: PageSizes, faults: Fault[]): number {
  const given = parseWholeNumber("limit", text ?? "", "a whole number such as 100", faults);
  return given === 0 ? sizes.default : Math.min(given, sizes.maximum);
}

/** Reads `start`, the number of a page. */
export function parseStart(text: string | undefined, faults: Fault[]): number {
  if (text === "0") {
    faults.push({ name: "parameterInvalid", message: "The first page is start=1.", field: "start" });
    return 1;
  }
  return Math.min(parseWholeNumber("start", text ?? "", "a page number such as 1", faults) || 1, furthestPage);
}

function parseWholeNumber(parameter: ListParameter, text: string, right: string, faults: Fault[]): number {
  if (text === "" || wholeNumber.test(text)) return Number(text);
  faults.push({
    name: "parameterInvalid",
    message: `The parameter ${parameter} is ${quote(text)}. Give ${right}, in plain digits.`,
    field: parameter,
  });
  return 0;
}

/** The envelope around the items of a page. */
export function listEnvelope<Item extends z.ZodType>(item: Item) {
  return z.object({
    _embedded: z.object({ items: z.array(item).describe("The items of this page.") }),
    _links: z
      .looseObject({ self: link, first: link, last: link, next: link.optional(), prev: link.optional() })
      .describe("Links to this, the first and the last page, and to the next and the previous one where they exist."),
    current_count: z.int().nonnegative().describe("Number of items on this page."),
    total_count: z.int().nonnegative().describe("Number of items on all pages, exactly."),
    start: z.string().meta({ pattern: pageNumberPattern }).describe("Number of this page; pages start at 1."),
    total_pages_count: z.int().nonnegative().describe("Number of pages."),
    limit: z.int().min(1).describe("The page size that was served."),
    filter_applied: z.string().nullable().describe("The filter as it was understood, or null."),
  });
}
