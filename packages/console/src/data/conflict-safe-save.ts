import { etagOf } from "@holdfast/client";
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "./change";
import { hasStatus } from "./service";

/** An edit that met another person's: their version of the item, and what was to be saved. */
interface Conflict<Item, Input> {
  theirs: Item;
  mine: Input;
}

interface ConflictSafeSaveOptions<Item, Input> {
  /** Sends the edit, to be refused where the item has another ETag by now. */
  send: (input: Input, ifMatch: string | undefined) => Promise<Item>;
  /** Key under which the item is cached: the next edit begins with what was saved. */
  key?: QueryKey;
  /** Reads the item as it is now. */
  read: () => Promise<Item>;
  onSaved?: ((saved: Item) => void) | undefined;
}

/** Saves edits of an item, and keeps both versions if another person was faster. */
export interface Saving<Item, Input> {
  /** Saves an edit of the item that it began with. */
  save: (input: Input, from: Item) => void;
  conflict: Conflict<Item, Input> | undefined;
  /** Returns to the form, with everything that was typed. */
  forget: () => void;
  /** Shows what the other person has saved. */
  takeTheirs: () => void;
  isPending: boolean;
  error: Error | null;
}

/** Saves edits of an item. Where another person was faster both versions are kept, until one of them is chosen. */
export function useConflictSafeSave<Item extends object, Input>({
  send,
  read,
  key,
  onSaved,
}: ConflictSafeSaveOptions<Item, Input>): Saving<Item, Input> {
  const queryClient = useQueryClient();
  const [conflict, setConflict] = useState<Conflict<Item, Input>>();
  const change = useChange(
    async ({ input, from }: { input: Input; from: Item }) => {
      try {
        return { saved: await send(input, etagOf(from)) };
      } catch (error) {
        if (!hasStatus(error, 412)) throw error;
        return { conflict: { theirs: await read(), mine: input } };
      }
    },
    ({ saved, conflict: met }) => {
      setConflict(met);
      if (saved && key) queryClient.setQueryData(key, saved);
      if (saved) onSaved?.(saved);
    },
    // A form of a list would leave with its row, before the person has chosen a version.
    ({ saved }) => saved !== undefined,
  );
  return {
    save: (input, from) => change.mutate({ input, from }),
    conflict,
    forget: () => setConflict(undefined),
    takeTheirs: () => {
      if (conflict && key) queryClient.setQueryData(key, conflict.theirs);
      setConflict(undefined);
    },
    isPending: change.isPending,
    error: change.error,
  };
}
