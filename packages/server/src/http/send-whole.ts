import { joined, piecesOf, release } from "../lists/rendered-body";
import { sizeOfBody, type WholeBody } from "./reply";

/** Makes a body of what is all there. The memory of what is spent is free as soon as it is sent. */
export type SendWhole = (whole: WholeBody, isSpent?: boolean) => SentWhole | ReadableStream<Uint8Array>;

type SentWhole = string | Uint8Array<ArrayBuffer> | Blob;

/** The runtime puts what is smaller into one piece with its headers by itself. */
const smallBody = 8_192;

/** Sends a body as the runtime does. That is quickest where it is answered in the turn of its request. */
export const sendAtOnce = (whole: WholeBody): SentWhole =>
  typeof whole === "string" || whole instanceof Uint8Array || whole instanceof Blob ? whole : joined(whole);

/**
 * Sends a body in one piece with its headers. The runtime writes each part of a header with a system call of its own where a
 * large body is answered later than in the turn of its request, and takes four times as long for that. It does not do so for
 * a stream that ends before it has to be sent; then it also says how long the body is.
 */
export const sendWhole: SendWhole = (whole, isSpent = false) => {
  const size = sizeOfBody(whole);
  if (whole instanceof Blob || size < smallBody) return sendAtOnce(whole);
  const pieces = whole instanceof Uint8Array ? [whole] : piecesOf(whole);
  return new ReadableStream(
    {
      type: "direct",
      pull(controller) {
        for (const piece of pieces) controller.write(piece);
        // The runtime has copied it. The garbage collector would let hundreds of pages gather.
        if (isSpent) release(pieces);
        controller.end();
      },
    },
    { highWaterMark: size + 1 },
  );
};
