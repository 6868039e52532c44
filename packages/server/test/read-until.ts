/** Reads what a process prints until it has printed a text, or has ended, and gives all of it. The process can print on. */
export async function readUntil(stream: ReadableStream<Uint8Array<ArrayBuffer>>, text: string): Promise<string> {
  // Not with `for await`, which closes the stream when it is left.
  const reader = stream.getReader();
  let printed = "";
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    printed += new TextDecoder().decode(chunk.value);
    if (printed.includes(text)) break;
  }
  return printed;
}
