import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

/** A random key for a change, under which it is done once however often it is sent. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * A change, and everything that it makes old. Its key stays the same until it has worked, so that "Try again" after a lost
 * answer does not do it twice.
 */
export function useChange<Input, Result>(
  change: (input: Input, idempotencyKey: string) => Promise<Result>,
  onDone?: (result: Result, input: Input) => void,
  /** True if something was changed: what is known stays as it is otherwise. */
  hasChanged: (result: Result) => boolean = () => true,
) {
  const queryClient = useQueryClient();
  const [key, setKey] = useState(newKey);
  return useMutation({
    mutationFn: (input: Input) => change(input, key),
    onSuccess: (result, input) => {
      setKey(newKey());
      if (hasChanged(result)) {
        void queryClient.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== "session" });
      }
      onDone?.(result, input);
    },
    onError: (error) => {
      // A refused change is another one after it was corrected. A lost one may or may not have been made.
      const isLost = "status" in error && (error.status === 0 || Number(error.status) >= 500);
      if (!isLost) setKey(newKey());
    },
  });
}
