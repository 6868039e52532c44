import { openControlPlane } from "@holdfast/server/installation/control-plane";
import { readSettings } from "@holdfast/server/settings/settings";

// Makes the data directory that the first argument names, as a first start does.
const settings = readSettings({ flags: { data_dir: process.argv[2] ?? "" }, environment: {}, file: null });
await (await openControlPlane(settings, Date.now())).database.close();
