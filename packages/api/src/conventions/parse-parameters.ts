import { type Fault, quote, refuse } from "./api-error";

const maxParameters = 100;

/** Reads the query of an address. Adds a fault for each parameter that is unknown, repeated or not readable. */
export function parseParameters(query: string, known: readonly string[], faults: Fault[]): Map<string, string> {
  const parameters = new Map<string, string>();
  const parts = query.split("&").filter((part) => part !== "");
  if (parts.length > maxParameters) {
    throw refuse("parameterUnknown", `Send at most ${maxParameters} parameters. ${knownSentence(known)}`);
  }
  for (const part of parts) {
    const equals = part.indexOf("=");
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? "" : decode(part.slice(equals + 1));
    if (name === undefined || !known.includes(name)) {
      faults.push({
        name: "parameterUnknown",
        message: `There is no parameter ${quote(name ?? part)} here. ${knownSentence(known)}`,
        field: name ?? part,
      });
    } else if (parameters.has(name)) {
      faults.push({ name: "parameterRepeated", message: `Give the parameter ${name} once.`, field: name });
    } else if (value === undefined) {
      faults.push({
        name: "parameterInvalid",
        message: `The parameter ${name} is not UTF-8, percent-encoded.`,
        field: name,
      });
    } else {
      parameters.set(name, value);
    }
  }
  return parameters;
}

function knownSentence(known: readonly string[]): string {
  return known.length === 0 ? "It takes none." : `Known are ${known.join(", ")}.`;
}

function decode(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
