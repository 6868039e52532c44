import { refuseField } from "@holdfast/api/conventions/api-error";
import { textLimits } from "@holdfast/api/conventions/text-limits";

const parameter = "return_to";

/**
 * Reads where a person wants to go once signed in: a page of the console, as a whole address. Other parameters are not looked
 * at, because providers add their own to the links of their portals.
 */
export function readReturnAddress(query: string, baseUrl: string): string | undefined {
  const [wanted, ...others] = new URLSearchParams(query).getAll(parameter).filter((one) => one !== "");
  if (others.length > 0) throw refuseField("parameterRepeated", parameter, `Give the parameter ${parameter} once.`);
  if (wanted === undefined) return undefined;
  const address = wanted.length <= textLimits.returnTo ? parse(`${baseUrl}${wanted}`) : undefined;
  // Compared as browsers read it: dots and backslashes may lead out of the console.
  const isOfConsole = wanted.startsWith("/console/") && address?.startsWith(`${baseUrl}/console/`);
  if (address !== undefined && isOfConsole && address.length - baseUrl.length <= textLimits.returnTo) return address;
  throw refuseField(
    "parameterInvalid",
    parameter,
    `The parameter ${parameter} has to be a path below /console/, such as /console/tasks, of at most ${textLimits.returnTo} characters.`,
  );
}

function parse(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).href : undefined;
}
