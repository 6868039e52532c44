import { InvalidArgumentError } from "commander";

/** Reads a protected item, written as its name, or with its type before it: host:web-1. */
export function parseEntity(text: string): { type: string; value: string } {
  const at = text.indexOf(":");
  const [type, value] = at < 0 ? ["host", text] : [text.slice(0, at), text.slice(at + 1)];
  if (type.trim() === "" || value.trim() === "")
    throw new InvalidArgumentError("Write a name, or a type and a name: host:web-1.");
  return { type: type.trim(), value: value.trim() };
}
