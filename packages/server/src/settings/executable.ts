/** Whether this program is the executable, which has everything in one file, and was not started from its sources. */
export const isExecutable = import.meta.url.startsWith("file:///$bunfs/");

/** How people write the command: in a checkout, npx finds it. */
export const commandName = isExecutable ? "holdfast" : "npx holdfast";
