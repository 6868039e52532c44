import { expect, test } from "bun:test";
import { RowSocket } from "./row-socket";

function message(code: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, code);
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

function dataRow(...fields: (string | null)[]): Buffer {
  const parts = fields.map((field) => {
    const bytes = Buffer.from(field ?? "");
    const length = Buffer.alloc(4);
    length.writeInt32BE(field === null ? -1 : bytes.length);
    return Buffer.concat([length, bytes]);
  });
  const count = Buffer.alloc(2);
  count.writeUInt16BE(fields.length);
  return message("D", Buffer.concat([count, ...parts]));
}

const [bound, done, ready] = [
  message("2", Buffer.alloc(0)),
  message("C", Buffer.from("SELECT 2\0")),
  message("Z", Buffer.from("I")),
];
const notice = message("N", Buffer.from("a notice\0"));
const first = dataRow("häuser", null, "");
const second = dataRow("x".repeat(300));

/** What comes of a stream of bytes that arrives in pieces of a size: the rows, and what the driver gets. */
function receive(bytes: Buffer, size: number) {
  const socket = new RowSocket();
  const rows: (string | null)[][] = [];
  const others: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => others.push(chunk));
  socket.takeRows((row) => rows.push(row.map((field) => field?.toString() ?? null)));
  for (let at = 0; at < bytes.length; at += size) socket.emit("data", bytes.subarray(at, at + size));
  socket.destroy();
  return { rows, others: Buffer.concat(others).toString("latin1") };
}

const pieces = Array.from({ length: 400 }, (_, index) => index + 1);

test("rows are taken however they are cut into pieces, and the driver gets all other messages as they came", () => {
  const bytes = Buffer.concat([bound, first, second, done, ready]);
  const others = Buffer.concat([bound, done, ready]).toString("latin1");
  const expected = { rows: [["häuser", null, ""], ["x".repeat(300)]], others };
  expect(pieces.map((size) => receive(bytes, size))).toEqual(pieces.map(() => expected));
});

test("after the end of a query everything is the driver's, rows included", () => {
  const bytes = Buffer.concat([first, ready, notice, second]);
  const others = Buffer.concat([ready, notice, second]).toString("latin1");
  expect(pieces.map((size) => receive(bytes, size))).toEqual(
    pieces.map(() => ({ rows: [["häuser", null, ""]], others })),
  );
});
