/** The header that names the organizational unit of a request. */
export function unitHeader(vendor: string): string {
  return `x-${vendor}-organizationalunit-context`;
}
