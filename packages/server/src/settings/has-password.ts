/** True if an address has a password in it: before the host, as a parameter, or as the words that libpq also takes. */
export function hasPassword(address: string): boolean {
  return /^[a-z]+:\/\/[^/@]*:[^/].*@|(^|[?&;\s])(ssl)?password=./i.test(address);
}
