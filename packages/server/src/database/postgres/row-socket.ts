import { Socket } from "node:net";

/** The fields of a row as they came; null is null. The bytes are those of the message, not a copy. */
export type RowBytes = readonly (Buffer | null)[];

const headSize = 5;
const dataRow = "D".charCodeAt(0);
const readyForQuery = "Z".charCodeAt(0);

/**
 * A connection whose rows can be taken as bytes. The driver makes a text of every value and knows no other way; a page would
 * become a text of a hundred kilobytes, only to become bytes again. All other messages go to the driver.
 */
export class RowSocket extends Socket {
  #takeRow: ((row: RowBytes) => void) | undefined;
  /** What has come of a message. */
  #head: Buffer = Buffer.alloc(0);
  #message: Buffer | undefined;
  #filled = 0;

  /** Takes the rows until the server is ready for the next query. */
  takeRows(takeRow: (row: RowBytes) => void): void {
    this.#takeRow = takeRow;
  }

  override emit(event: string | symbol, ...given: unknown[]): boolean {
    const [chunk] = given;
    if (event !== "data" || !this.#takeRow || !(chunk instanceof Buffer)) return super.emit(event, ...given);
    this.#read(chunk);
    return true;
  }

  #read(given: Buffer): void {
    const chunk = this.#head.length > 0 ? Buffer.concat([this.#head, given]) : given;
    this.#head = Buffer.alloc(0);
    for (let at = 0; at < chunk.length; ) {
      const rest = chunk.length - at;
      if (this.#message) {
        at += this.#fill(this.#message, chunk.subarray(at));
      } else if (rest < headSize) {
        this.#head = Buffer.from(chunk.subarray(at));
        return;
      } else {
        const size = 1 + chunk.readUInt32BE(at + 1);
        if (size <= rest) {
          this.#handle(chunk.subarray(at, at + size));
          at += size;
        } else {
          this.#message = Buffer.allocUnsafe(size);
        }
      }
      if (!this.#takeRow) {
        // What comes after the end of the query, such as a notice, is the driver's.
        if (at < chunk.length) this.emit("data", chunk.subarray(at));
        return;
      }
    }
  }

  /** Adds to a message that comes in several pieces; gives how much of the piece belongs to it. */
  #fill(message: Buffer, piece: Buffer): number {
    const taken = piece.copy(message, this.#filled);
    this.#filled += taken;
    if (this.#filled === message.length) {
      this.#message = undefined;
      this.#filled = 0;
      this.#handle(message);
    }
    return taken;
  }

  #handle(message: Buffer): void {
    if (message[0] === dataRow) {
      this.#takeRow?.(fieldsOf(message));
      return;
    }
    if (message[0] === readyForQuery) this.#takeRow = undefined;
    super.emit("data", message);
  }
}

/** The fields of a row: their number, and each with its length before it. */
function fieldsOf(message: Buffer): RowBytes {
  const fields: (Buffer | null)[] = [];
  let at = headSize + 2;
  for (let left = message.readUInt16BE(headSize); left > 0; left--) {
    const length = message.readInt32BE(at);
    at += 4;
    fields.push(length < 0 ? null : message.subarray(at, at + length));
    at += Math.max(0, length);
  }
  return fields;
}
