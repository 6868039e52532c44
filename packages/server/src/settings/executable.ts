/** True if this program is the executable, which has everything in one file, and was not started from its sources. */
export const isExecutable = import.meta.url.startsWith("file:///$bunfs/");

/** Name of the command for people: in a checkout, npx finds it. */
export const commandName = isExecutable ? "holdfast" : "npx holdfast";
