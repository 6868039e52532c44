/** An event of a stream that was written exactly as it should be. */
export interface StrictEvent {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape.
  data: any;
}

const names = ["snapshot", "match", "task", "gone", "reset", "end"];

/**
 * Reads the bytes of a stream as the standard says a browser does, where a lone \r ends a line, too. Anything that the
 * service never writes is an error: another field, a second one of a kind, bytes that are no UTF-8, data that is no JSON.
 */
export function readStrictly(bytes: Uint8Array): StrictEvent[] {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const blocks = text
    .split(/\r\n|\r|\n/)
    .join("\n")
    .split("\n\n");
  // Text after the last empty line has not been sent whole.
  return blocks.slice(0, -1).flatMap((block): StrictEvent[] => {
    if (block === ": still here" || /^retry: \d+$/.test(block)) return [];
    const [event = "", id = "", data = "", ...others] = block.split("\n");
    const isWhole = /^event: \w+$/.test(event) && /^id: [\w.~-]+$/.test(id) && data.startsWith("data: ");
    const name = event.slice("event: ".length);
    if (!isWhole || others.length > 0 || !names.includes(name)) throw new Error(`This is no event: ${block}`);
    return [{ event: name, data: JSON.parse(data.slice("data: ".length)) }];
  });
}
