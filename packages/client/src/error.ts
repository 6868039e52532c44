/**
 * One thing that was wrong with a request, as the service says it.
 * @example
 * import { type Fault, HoldfastError } from "@holdfast/client";
 *
 * const reasons = (error: HoldfastError) => error.faults.map((fault: Fault) => `${fault.field}: ${fault.error_message}`);
 * await holdfast.tasks.read("no-such-task").catch((error) => console.log(reasons(error)));
 */
export interface Fault {
  error_code: number;
  error_message: string;
  /** Which part of the request it is about: a JSON pointer into the body, or the name of a parameter or a header. */
  field?: string | undefined;
}

interface ErrorFacts {
  status: number;
  faults: readonly Fault[];
  requestId?: string | undefined;
  /** When to try again, in seconds, where the service says it. */
  retryAfter?: number | undefined;
  forbidden?: string | undefined;
  cause?: unknown;
}

/**
 * Error of every call that did not succeed. If no answer came at all, `status` is 0 and `cause` is what went wrong.
 * A call that its own `AbortSignal` ended throws the reason of that signal instead.
 * @example
 * import { HoldfastError } from "@holdfast/client";
 *
 * try {
 *   await holdfast.tasks.read("no-such-task");
 * } catch (error) {
 *   if (error instanceof HoldfastError && error.status === 404) console.log(error.codes, error.requestId);
 * }
 */
export class HoldfastError extends Error {
  override readonly name = "HoldfastError";
  /** The status of the answer; 0 where there was none. */
  readonly status: number;
  /** Everything that was wrong. */
  readonly faults: readonly Fault[];
  /** The id under which the service has the request in its log. */
  readonly requestId: string | undefined;
  /** When to try again, in seconds, where the service says it. */
  readonly retryAfter: number | undefined;
  /** The operation that discovery does not offer to this caller: `create-api-token`. */
  readonly forbidden: string | undefined;

  constructor({ status, faults, requestId, retryAfter, forbidden, cause }: ErrorFacts) {
    super(faults.map(({ error_message }) => error_message).join(" "), { cause });
    this.status = status;
    this.faults = faults;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.forbidden = forbidden;
  }

  /** The stable numbers of what was wrong: `40402`. */
  get codes(): number[] {
    return this.faults.map(({ error_code }) => error_code);
  }

  /** A sentence for each, which says what to do. */
  get messages(): string[] {
    return this.faults.map(({ error_message }) => error_message);
  }

  /** The part of the request that the first of them is about. */
  get field(): string | undefined {
    return this.faults[0]?.field;
  }
}

/** Makes the error of an answer that refuses, in whichever shape it came: a proxy in between answers in its own. */
export function errorOfAnswer(response: Response, text: string): HoldfastError {
  return new HoldfastError({
    status: response.status,
    faults: faultsIn(text) ?? [
      { error_code: 0, error_message: `The answer was ${response.status}, without a reason.` },
    ],
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfter: secondsIn(response.headers.get("retry-after")),
  });
}

function faultsIn(text: string): Fault[] | undefined {
  try {
    const body: { errors?: Fault[] } | null = JSON.parse(text);
    return Array.isArray(body?.errors) && body.errors.length > 0 ? body.errors : undefined;
  } catch {
    return undefined;
  }
}

function secondsIn(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const until = Date.parse(header);
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}
