import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { Refusal } from "@holdfast/server/settings/refusal";

const chunkLength = 256 * 1024;

/** Bytes to import, whose number is known before they are read. */
export interface Input {
  size: number;
  read(onRead: (length: number) => void): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens a file, or standard input for `-`. What is no plain file is first copied into the folder: it may come slowly,
 * and a transaction that waits for it would block all other writers.
 */
export async function openInput(path: string, folder: string): Promise<Input> {
  const file = path === "-" ? await copyInto(folder, process.stdin) : await openFile(path, folder);
  return {
    size: (await file.stat()).size,
    read: (onRead) => readChunks(file, onRead),
    close: () => file.close(),
  };
}

async function openFile(path: string, folder: string): Promise<FileHandle> {
  try {
    const file = await open(path);
    const stats = await file.stat();
    if (stats.isFile()) return file;
    await file.close();
    if (stats.isDirectory()) throw new Error("it is a folder");
  } catch (error) {
    const reason = errorMessage(error);
    throw new Refusal(`The file ${path} cannot be read (${reason}). Name an NDJSON file, or - for standard input.`);
  }
  return copyInto(folder, createReadStream(path));
}

async function copyInto(folder: string, source: AsyncIterable<string | Uint8Array>): Promise<FileHandle> {
  const path = join(folder, `import-${randomUUID()}`);
  const copy = await open(path, "wx+", 0o600);
  // Without a name it is gone as soon as this process is, however that ends.
  await unlink(path);
  for await (const chunk of source) await copy.appendFile(chunk);
  return copy;
}

async function* readChunks(file: FileHandle, onRead: (length: number) => void): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const chunk = new Uint8Array(chunkLength);
    const { bytesRead } = await file.read(chunk, 0, chunkLength, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    onRead(bytesRead);
    yield chunk.subarray(0, bytesRead);
  }
}
