import { Refusal } from "../settings/refusal";
import { openTrailer, type Trailer, trailerBeginning } from "./export-trailer";
import { type ChainLink, ChainWalk } from "./verify-chain";

/** End of the line of an event. */
const lineEnd = /,"hash":"([0-9a-f]{64})"\}$/;
const newline = 0x0a;

/**
 * Checks an export by itself: that each event follows the one before and that the trailer speaks of just these. Gives the
 * trailer, or throws a sentence that names what is wrong.
 */
export async function verifyExport(chunks: AsyncIterable<Uint8Array>): Promise<Trailer> {
  const walk = new ChainWalk();
  let trailer: Trailer | undefined;
  for await (const line of strictLines(chunks)) {
    if (trailer) throw new Refusal("Something was added after the trailer.");
    if (line.startsWith(trailerBeginning)) trailer = await openTrailer(line);
    else walk.follow(readLink(line, walk.end.count + 1));
  }
  if (!trailer) throw new Refusal(`The trailer is missing: the file was cut off after event ${walk.end.count}.`);
  if (trailer.count !== walk.end.count) {
    const missing = Math.min(trailer.count, walk.end.count) + 1;
    throw new Refusal(`Event ${missing} is missing or was added: the trailer speaks of ${trailer.count} events.`);
  }
  if (trailer.last_hash !== walk.end.hash || trailer.first_hash !== walk.firstHash) {
    throw new Refusal("The trailer belongs to other events than these.");
  }
  return trailer;
}

function readLink(line: string, number: number): ChainLink {
  const hash = lineEnd.exec(line)?.[1];
  if (hash === undefined) throw new Refusal(`Event ${number} was altered: its line does not end with a hash.`);
  return { document: `${line.replace(lineEnd, "")}}`, hash };
}

/** Cuts bytes into lines and forgives nothing: a byte order mark or a carriage return is a part of its line. */
async function* strictLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let held = Buffer.alloc(0);
  let number = 0;
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk]);
    let from = 0;
    for (let at = held.indexOf(newline); at !== -1; at = held.indexOf(newline, from)) {
      number++;
      yield decode(decoder, held.subarray(from, at), number);
      from = at + 1;
    }
    held = held.subarray(from);
  }
  if (held.length > 0)
    throw new Refusal("The last line is not whole: something was cut off, or added after the trailer.");
}

function decode(decoder: TextDecoder, bytes: Uint8Array, number: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Refusal(`Line ${number} was altered: it is not UTF-8 text.`);
  }
}
