import { join } from "node:path";
import { buildRelease } from "./build/build-release";
import { workspace } from "./build/locked-packages";
import { ownTarget, targets } from "./build/targets";

// Runs `npm run build`: the executable of this platform, or, with --all, those of all platforms.
await buildRelease({
  folder: join(workspace, "dist"),
  targets: process.argv.includes("--all") ? targets : [ownTarget()],
  tell: (line) => process.stdout.write(`${line}\n`),
});
