import { type Fault, HoldfastError } from "@holdfast/client";

/** The labels of a form, by the places of their fields in the body that is sent: `schedule.cron`. */
export type Labels = Readonly<Record<string, string>>;

/** Splits an error into the faults of fields of a form, in the words of their labels, and the rest. */
export function splitFaults(error: unknown, labels: Labels): { errors: Record<string, string>; rest: unknown } {
  if (!(error instanceof HoldfastError)) return { errors: {}, rest: error };
  const places = Object.keys(labels);
  const [others, errors]: [Fault[], Record<string, string>] = [[], {}];
  for (const fault of error.faults) {
    const place = placeOf(fault, places);
    if (place === undefined) others.push(fault);
    else errors[place] = [errors[place], inWordsOf(labels[place] ?? place, fault)].filter(Boolean).join(" ");
  }
  if (others.length === error.faults.length) return { errors, rest: error };
  const { status, requestId } = error;
  return { errors, rest: others.length > 0 ? new HoldfastError({ status, faults: others, requestId }) : undefined };
}

/** The field that a fault is about: the one of its pointer, the one around it, or the first one inside. */
function placeOf({ field = "" }: Fault, places: readonly string[]): string | undefined {
  if (!field.startsWith("/")) return places.find((place) => place === field);
  const path = field.slice(1).replaceAll("/", ".");
  const isInside = (inner: string, outer: string) => `${inner}.`.startsWith(`${outer}.`);
  return places.find((place) => isInside(path, place)) ?? places.find((place) => isInside(place, path));
}

/** `The field "full_name" has to be …` as `Full name has to be …`. */
function inWordsOf(label: string, { error_message: message }: Fault): string {
  return message.replace(/^The (field|parameter) ("[^"]*"|\S+)(?= (has|is|have|may) )/, () => label);
}
