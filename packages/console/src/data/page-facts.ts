/** Value that the service has written into the page. */
function fact(name: string): string {
  return document.querySelector(`meta[name="holdfast-${name}"]`)?.getAttribute("content") ?? "";
}

/** The path that the service is below, where its base URL has one: `/holdfast`. */
export const basePath = fact("base-path");
/** The address that programs reach the service at. */
export const publicUrl = fact("base-url");
/** True if only the machine of the service can reach that address. */
export const isForOneMachine = /^https?:\/\/(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:|\/|$)/i.test(publicUrl);
export const vendor = fact("vendor");
export const version = fact("version");
/** Name of the command on the machine of the service: `npx holdfast` in a checkout. */
export const commandName = fact("command") || "holdfast";
