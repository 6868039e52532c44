import { inflateSync } from "node:zlib";

/** The light and dark of a picture without its colour: how much lighter than its average each pixel is. Takes PNGs of a browser. */
export function grainOf(png: Buffer): Uint8Array {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") data.push(png.subarray(at + 8, at + 8 + length));
  }
  const rows = unfiltered(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  const light = Array.from({ length: width * height }, (_, at) => {
    const [red = 0, green = 0, blue = 0] = rows.subarray(at * channels, at * channels + 3);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  const average = light.reduce((sum, one) => sum + one, 0) / light.length;
  return Uint8Array.from(light, (one) => Math.round(Math.min(255, Math.max(0, one - average + 128))));
}

/** Difference of two pictures of the same size, on average over their pixels, of 255. */
export function differenceOf(one: Uint8Array, other: Uint8Array): number {
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
}

/** The bytes of a picture, whose lines PNG stores as differences from their neighbours. */
function unfiltered(packed: Buffer, stride: number, height: number, step: number): Buffer {
  const plain = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = packed[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x >= step ? (plain[at - step] ?? 0) : 0;
      const up = y > 0 ? (plain[at - stride] ?? 0) : 0;
      const corner = x >= step && y > 0 ? (plain[at - stride - step] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      plain[at] = (packed[y * (stride + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return plain;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
