import { type ErrorName, errorCatalogue, statusOf } from "./error-catalogue";

/** One thing that is wrong with a request, and a sentence that says what to do about it. */
export interface Fault {
  name: ErrorName;
  message: string;
  /** Which part of the request it is about: a JSON pointer into the body, or the name of a parameter or a header. */
  field?: string;
}

export interface ErrorBody {
  errors: { error_code: number; error_message: string; field?: string | undefined }[];
}

/** No field or parameter has a name of such a length. What the caller has made up is not sent back whole. */
const maxFieldLength = 200;

/** A refusal that is answered as it stands. All faults of one error share its status. */
export class ApiError extends Error {
  readonly faults: readonly [Fault, ...Fault[]];
  readonly headers: Readonly<Record<string, string>>;

  constructor(faults: readonly [Fault, ...Fault[]], headers: Record<string, string> = {}) {
    super(faults.map((fault) => fault.message).join(" "));
    this.name = "ApiError";
    this.faults = faults;
    this.headers = headers;
  }

  get status(): number {
    return statusOf(this.faults[0].name);
  }

  get body(): ErrorBody {
    return {
      errors: this.faults.map(({ name, message, field }) => ({
        error_code: errorCatalogue[name].code,
        error_message: message,
        ...(field === undefined || field.length > maxFieldLength ? {} : { field: field.toWellFormed() }),
      })),
    };
  }
}

/**
 * Makes the error for a single fault.
 * @example throw refuse("itemUnknown", "There is no such task.");
 */
export function refuse(name: ErrorName, message: string, headers?: Record<string, string>): ApiError {
  return new ApiError([{ name, message }], headers);
}

/**
 * Makes the error for a fault of one field or parameter. A field of the body is named by its JSON pointer.
 * @example throw refuseField("bodyInvalid", "/role_id", "There is no such role.");
 */
export function refuseField(name: ErrorName, field: string, message: string): ApiError {
  return new ApiError([{ name, message, field }]);
}

const maxFaults = 50;

/** Throws all the faults that were found together, if there are any. Of very many, the first are listed. */
export function refuseAll(faults: readonly Fault[]): void {
  const [first, ...others] = faults.slice(0, maxFaults);
  if (!first) return;
  const untold = faults.length - maxFaults;
  if (untold > 0) others.push({ name: first.name, message: `There are ${untold} more errors. Correct these first.` });
  throw new ApiError([first, ...others]);
}

/** A piece of the caller's own text, short enough to repeat in a message. */
export function quote(text: string): string {
  const shortened = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return JSON.stringify(shortened.toWellFormed());
}
