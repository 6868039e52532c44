/** The encodings that a client accepts: `gzip, br;q=0.5`, but none with `q=0`. */
export function acceptedEncodings(header: string | null): Set<string> {
  const accepted = new Set<string>();
  for (const one of (header ?? "").split(",")) {
    const [name = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) accepted.add(name);
  }
  return accepted;
}
