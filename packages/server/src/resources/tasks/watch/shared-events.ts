import type { ReadChanges } from "./task-changes";

/** Gives the events of a reading as they are sent: written once for all streams with the same key. */
export type ShareEvents = (read: ReadChanges, key: string, write: () => string) => Uint8Array;

/** Remembers what was written for as long as the reading is used. */
export function createSharedEvents(): ShareEvents {
  const encoder = new TextEncoder();
  const written = new WeakMap<ReadChanges, Map<string, Uint8Array>>();
  return (read, key, write) => {
    let ofReading = written.get(read);
    if (!ofReading) {
      ofReading = new Map();
      written.set(read, ofReading);
    }
    let bytes = ofReading.get(key);
    if (!bytes) {
      bytes = encoder.encode(write());
      ofReading.set(key, bytes);
    }
    return bytes;
  };
}
