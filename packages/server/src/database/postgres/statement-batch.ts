import type { ClientBase, Connection, Submittable } from "pg";
import { parserOf } from "./column-values";
import type { Column, NamedStatement, StatementNames } from "./statement-names";

/** A statement with its values as the protocol carries them. */
export interface Statement {
  text: string;
  values: readonly (string | null)[];
  /** Whether its text is hardly ever sent again, so that it gets no name. */
  isOnce?: boolean;
}

/** What a statement gives: its rows, and what the server calls what it has done, such as `INSERT 0 2`. */
export interface StatementResult<Row> {
  rows: readonly Row[];
  done: string;
}

/**
 * Sends several statements at once and waits for one answer: neither a round trip nor a turn of the event loop lies between
 * them. When one fails, the server skips those after it.
 */
export async function sendBatch<Row extends object>(
  client: ClientBase,
  statements: readonly Statement[],
  names: StatementNames,
): Promise<(readonly Row[])[]> {
  return (await sendTogether<Row>(client, statements, { names })).map(({ rows }) => rows);
}

export interface SendOptions {
  /** Undefined where no statement is named. */
  names?: StatementNames;
  /** How long the driver waits for the answer, in milliseconds; as long as usual without it. */
  query_timeout?: number;
}

/** The same, and gives what each of them has done. */
export function sendTogether<Row extends object>(
  client: ClientBase,
  statements: readonly Statement[],
  options: SendOptions,
): Promise<StatementResult<Row>[]> {
  return new Promise((resolve, reject) => {
    const batch = new Batch<Row>(client, statements, options);
    // The driver puts its own timer around this.
    batch.callback = (error) => (error ? reject(error) : resolve(batch.results));
    client.query(batch);
  });
}

interface Step {
  statement: Statement;
  named: NamedStatement | undefined;
  columns: readonly Column[];
}

/** A query of the driver's own kind: the driver calls these methods as the messages of the server come in. */
class Batch<Row extends object> implements Submittable {
  readonly results: { rows: Row[]; done: string }[];
  readonly query_timeout: number | undefined;
  callback: (error?: unknown) => void = () => {};
  readonly #client: ClientBase;
  readonly #names: StatementNames | undefined;
  readonly #steps: Step[];
  /** What is parsed by this batch, and so is not known where it fails. */
  readonly #parsed: string[] = [];
  #at = 0;

  constructor(client: ClientBase, statements: readonly Statement[], { names, query_timeout }: SendOptions) {
    this.#client = client;
    this.#names = names?.areOn ? names : undefined;
    this.query_timeout = query_timeout;
    this.#steps = statements.map((statement) => ({ statement, named: undefined, columns: [] }));
    this.results = statements.map(() => ({ rows: [], done: "" }));
  }

  submit(connection: Connection): void {
    connection.stream.cork();
    for (const step of this.#steps) this.#send(connection, step);
    connection.sync();
    connection.stream.uncork();
  }

  #send(connection: Connection, step: Step): void {
    const { text, values, isOnce = false } = step.statement;
    const names = isOnce ? undefined : this.#names;
    const known = names?.find(this.#client, text);
    step.named = known ?? this.#parse(connection, text, names);
    step.columns = known?.columns ?? [];
    connection.bind({ statement: step.named?.name ?? "", values: [...values] }, true);
    if (!step.named) connection.describe({ type: "P", name: "" }, true);
    connection.execute(null, true);
  }

  #parse(connection: Connection, text: string, names: StatementNames | undefined): NamedStatement | undefined {
    if (!names) {
      connection.parse({ name: "", text, types: [] }, true);
      return undefined;
    }
    const { added, dropped } = names.add(this.#client, text);
    if (dropped) connection.close({ type: "S", name: dropped.name }, true);
    // An earlier batch may have failed after it had been parsed; closing what is not there is no error.
    connection.close({ type: "S", name: added.name }, true);
    connection.parse({ name: added.name, text, types: [] }, true);
    connection.describe({ type: "S", name: added.name }, true);
    this.#parsed.push(text);
    return added;
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    const step = this.#steps[this.#at];
    if (!step) return;
    step.columns = fields;
    if (step.named) step.named.columns = fields;
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    for (const [index, { name, dataTypeID }] of (this.#steps[this.#at]?.columns ?? []).entries()) {
      const value = fields[index] ?? null;
      row[name] = value === null ? null : parserOf(dataTypeID)(value);
    }
    // SAFETY of the cast: Row is what our own statements select.
    this.results[this.#at]?.rows.push(row as Row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const result = this.results[this.#at];
    if (result) result.done = text;
    this.#at += 1;
  }

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    this.callback();
  }

  handleError(error: unknown): void {
    for (const text of this.#parsed) this.#names?.forget(this.#client, text);
    this.callback(error);
  }
}
