import { sharedAtMost } from "../lists/rendered-body";
import type { WholeBody } from "./reply";

/** Makes a body of what is all there. The memory of what is spent is free as soon as it is sent. */
export type SendWhole = (whole: WholeBody, isSpent?: boolean) => WholeBody | ReadableStream<Uint8Array>;

/** The runtime puts what is smaller into one piece with its headers by itself. */
const smallBody = 8_192;

/**
 * Sends a body in one piece with its headers. The runtime writes each part of a header with a system call of its own where a
 * large body is answered later than in the turn of its request, and takes four times as long for that. It does not do so for
 * a stream that ends before it has to be sent; then it also says how long the body is.
 */
export const sendWhole: SendWhole = (whole, isSpent = false) => {
  if (whole instanceof Blob || whole.length < smallBody) return whole;
  const bytes = typeof whole === "string" ? Buffer.from(whole) : whole;
  return new ReadableStream(
    {
      type: "direct",
      pull(controller) {
        controller.write(bytes);
        // The runtime has copied it. The garbage collector would let hundreds of pages gather.
        if (isSpent && bytes.length > sharedAtMost) bytes.buffer.transfer(0);
        controller.end();
      },
    },
    { highWaterMark: bytes.length + 1 },
  );
};
