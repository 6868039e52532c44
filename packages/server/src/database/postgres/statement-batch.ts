import type { ClientBase, Connection, Submittable } from "pg";
import { parserOf } from "./column-values";
import { RowSocket } from "./row-socket";
import type { Column, NamedStatement, StatementNames } from "./statement-names";

/** A statement with its values as the protocol carries them. */
export interface Statement {
  text: string;
  values: readonly (string | null)[];
  /** A column of text that is given as bytes, where the way to the server allows it. */
  bytes?: string | undefined;
}

/**
 * Sends several statements at once and waits for one answer: neither a round trip nor a turn of the event loop lies between
 * them. When one fails, the server skips those after it.
 */
export function sendBatch<Row extends object>(
  client: ClientBase,
  statements: readonly Statement[],
  names: StatementNames,
): Promise<(readonly Row[])[]> {
  return new Promise((resolve, reject) => {
    const batch = new Batch<Row>(client, statements, names);
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
  readonly results: Row[][];
  callback: (error?: unknown) => void = () => {};
  readonly #client: ClientBase;
  readonly #names: StatementNames;
  readonly #steps: Step[];
  /** What is parsed by this batch, and so is not known where it fails. */
  readonly #parsed: string[] = [];
  #at = 0;

  constructor(client: ClientBase, statements: readonly Statement[], names: StatementNames) {
    this.#client = client;
    this.#names = names;
    this.#steps = statements.map((statement) => ({ statement, named: undefined, columns: [] }));
    this.results = statements.map(() => []);
  }

  submit(connection: Connection): void {
    if (connection.stream instanceof RowSocket) connection.stream.takeRows((fields) => this.#takeRow(fields));
    connection.stream.cork();
    for (const step of this.#steps) this.#send(connection, step);
    connection.sync();
    connection.stream.uncork();
  }

  #send(connection: Connection, step: Step): void {
    const { text, values } = step.statement;
    const known = this.#names.areOn ? this.#names.find(this.#client, text) : undefined;
    step.named = known ?? this.#parse(connection, text);
    step.columns = known?.columns ?? [];
    connection.bind({ statement: step.named?.name ?? "", values: [...values] }, true);
    if (!step.named) connection.describe({ type: "P", name: "" }, true);
    connection.execute(null, true);
  }

  #parse(connection: Connection, text: string): NamedStatement | undefined {
    if (!this.#names.areOn) {
      connection.parse({ name: "", text, types: [] }, true);
      return undefined;
    }
    const { added, dropped } = this.#names.add(this.#client, text);
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

  /** Called by the driver where the connection is encrypted, and so is not ours to read. */
  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    this.#takeRow(fields);
  }

  #takeRow(fields: readonly (Buffer | string | null)[]): void {
    const step = this.#steps[this.#at];
    const row: Record<string, unknown> = {};
    for (const [index, { name, dataTypeID }] of (step?.columns ?? []).entries()) {
      const value = fields[index] ?? null;
      if (value === null || name === step?.statement.bytes) row[name] = value;
      else row[name] = parserOf(dataTypeID)(value.toString());
    }
    // SAFETY of the cast: Row is what our own statements select.
    this.results[this.#at]?.push(row as Row);
  }

  handleCommandComplete(): void {
    this.#at += 1;
  }

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    this.callback();
  }

  handleError(error: unknown): void {
    for (const text of this.#parsed) this.#names.forget(this.#client, text);
    this.callback(error);
  }
}
