import { chmod, copyFile, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { runCommand } from "../run-command";
import type { DebianPackage, PackagedFile } from "./debian-packages";

/** Build of a package. */
export interface DebianBuild {
  version: string;
  architecture: string;
  /** The folder of units and scripts. */
  packaging: string;
  /** Where the package goes. */
  folder: string;
  /** When the sources were last changed, in seconds: all files are as old. */
  changedAt: number;
  /** Compression: a quick one for a trial is too large to be sent. */
  packing: "xz" | "gzip" | "none";
}

const maintainer = "Holdfast maintainers <maintainers@holdfast.invalid>";

/** Builds a Debian package, and gives its file. */
export async function buildDebianPackage(described: DebianPackage, build: DebianBuild): Promise<string> {
  const { name, folders, scripts, conffiles } = described;
  const { version, architecture, packaging, folder, changedAt, packing } = build;
  const tree = join(folder, `.${name}-${process.pid}`);
  try {
    for (const { path, mode } of folders) {
      await mkdir(join(tree, path), { recursive: true });
      await chmod(join(tree, path), mode);
    }
    for (const file of [...described.files, ...documentsOf(described, build)]) await placeFile(tree, file);
    await mkdir(join(tree, "DEBIAN"), { recursive: true });
    for (const script of scripts) {
      await copyFile(join(packaging, script), join(tree, "DEBIAN", script.replace(`${name}.`, "")));
      await chmod(join(tree, "DEBIAN", script.replace(`${name}.`, "")), 0o755);
    }
    if (conffiles.length > 0) await writeFile(join(tree, "DEBIAN/conffiles"), `${conffiles.join("\n")}\n`);
    await writeFile(join(tree, "DEBIAN/control"), controlOf(described, build, await sizeOf(tree)));
    await writeFile(join(tree, "DEBIAN/md5sums"), await checksumsOf(tree));
    const made = join(folder, `${name}_${version}_${architecture}.deb`);
    const level = packing === "gzip" ? ["-z1"] : [];
    const command = ["dpkg-deb", "--root-owner-group", `-Z${packing}`, ...level, "--build", tree, made];
    const { exitCode, report } = await runCommand(command, { SOURCE_DATE_EPOCH: String(changedAt) });
    if (exitCode !== 0) throw new Error(`${name} could not be packed: ${report}`);
    return made;
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

async function placeFile(tree: string, { path, mode, from, isPacked = false }: PackagedFile): Promise<void> {
  const target = join(tree, path);
  await mkdir(dirname(target), { recursive: true });
  if ("file" in from && !isPacked) await copyFile(from.file, target);
  else {
    const contents = "file" in from ? await readFile(from.file) : Buffer.from(from.text);
    await writeFile(target, isPacked ? gzipSync(contents, { level: 9 }) : contents);
  }
  await chmod(target, mode);
}

/** Documents of every package: its changes, its licence, and what lintian is to accept. */
function documentsOf({ name, overrides }: DebianPackage, build: DebianBuild): PackagedFile[] {
  const { version, packaging, changedAt } = build;
  const date = new Date(changedAt * 1000).toUTCString().replace("GMT", "+0000");
  const changes = `${name} (${version}) unstable; urgency=medium\n\n  * Built from the sources of this version. Their CHANGELOG.md has the changes.\n\n -- ${maintainer}  ${date}\n`;
  const documents = `/usr/share/doc/${name}`;
  const accepted = overrides.map(({ tag, reason }) => `# ${reason}\n${name}: ${tag}\n`).join("");
  return [
    { path: `${documents}/changelog.Debian.gz`, mode: 0o644, from: { text: changes }, isPacked: true },
    { path: `${documents}/copyright`, mode: 0o644, from: { file: join(packaging, "copyright") } },
    ...(accepted === ""
      ? []
      : [{ path: `/usr/share/lintian/overrides/${name}`, mode: 0o644, from: { text: accepted } }]),
  ];
}

function controlOf(described: DebianPackage, { version, architecture }: DebianBuild, kilobytes: number): string {
  const { name, depends, suggests, summary, description } = described;
  return [
    `Package: ${name}`,
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${kilobytes}`,
    `Depends: ${depends}`,
    `Suggests: ${suggests}`,
    "Section: admin",
    "Priority: optional",
    `Description: ${summary}`,
    ...description.map((line) => ` ${line}`),
    "",
  ].join("\n");
}

async function filesIn(tree: string): Promise<string[]> {
  const { output } = await runCommand(["find", tree, "-type", "f", "-not", "-path", `${tree}/DEBIAN/*`, "-print"]);
  return output.split("\n").filter(Boolean).sort();
}

async function sizeOf(tree: string): Promise<number> {
  const sizes = await Promise.all((await filesIn(tree)).map(async (file) => (await stat(file)).size));
  return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024);
}

/** With them, `dpkg --verify` sees a file that was changed. */
async function checksumsOf(tree: string): Promise<string> {
  const lines = (await filesIn(tree)).map(async (file) => {
    const hash = new Bun.CryptoHasher("md5").update(await readFile(file)).digest("hex");
    return `${hash}  ${file.slice(tree.length + 1)}\n`;
  });
  return (await Promise.all(lines)).join("");
}
