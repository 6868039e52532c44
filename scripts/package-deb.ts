import { join } from "node:path";
import { buildRelease } from "./build/build-release";
import { writeChecksums } from "./build/checksums";
import { workspace } from "./build/locked-packages";
import { packageForDebian } from "./build/package-for-debian";
import { ownTarget, targets } from "./build/targets";

// Runs `npm run package:deb`: the packages for this machine's processor, or, with --all, for all that Debian has.
const folder = join(workspace, "dist");
const tell = (line: string) => process.stdout.write(`${line}\n`);
const wanted = process.argv.includes("--all") ? targets.filter(({ debian }) => debian !== undefined) : [ownTarget()];
await buildRelease({ folder, targets: wanted, tell });
for (const target of wanted) await packageForDebian({ folder, target, tell, packing: "xz" });
await writeChecksums(folder);
