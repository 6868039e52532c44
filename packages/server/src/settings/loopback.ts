/** Whether a host is this very machine, which nothing else reaches over a network. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.[0-9]{1,3}){3}|::1|\[::1\])$/i.test(host);
}
