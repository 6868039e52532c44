import { createHash } from "node:crypto";
import { type LockedPackage, requireLocked } from "./locked-packages";

/** Facts in a bill of materials. */
export interface BillFacts {
  version: string;
  /** The source files that are in the executable, by their paths. */
  sources: readonly string[];
  packages: ReadonlyMap<string, LockedPackage>;
  /** Parts of the runtime, by name. */
  runtimeParts: Readonly<Record<string, string | undefined>>;
}

/** Names of the runtime that are not parts: interfaces that it speaks, and tools that made it. */
const noParts = new Set(["bun", "node", "modules", "napi", "openssl", "unicode", "uv", "v8", "zig"]);

/**
 * Writes which packages are in the executable, in the form of CycloneDX 1.6. Only what the bundler has taken is listed, so
 * that a scanner finds no fault in a package that is not there. Equal builds have equal bills: there is no time in it.
 */
export function billOfMaterials({ version, sources, packages, runtimeParts }: BillFacts): string {
  const folders = new Set(sources.flatMap((source) => packageFolder(source) ?? []));
  const libraries = new Map<string, Component>();
  for (const folder of [...folders].sort()) {
    const found = packages.get(folder);
    if (!found) throw new Error(`${folder} is in the executable, and not in package-lock.json. Run npm ci.`);
    const component = componentOf(found);
    // One version may lie in two folders.
    libraries.set(component.purl, component);
  }
  const runtime = {
    ...componentOf(requireLocked(packages, "bun")),
    components: Object.entries(runtimeParts).flatMap(([name, part]) =>
      part === undefined || noParts.has(name) ? [] : [{ type: "library", name, version: part }],
    ),
  };
  const self = { type: "application", name: "holdfast", version, purl: `pkg:generic/holdfast@${version}` };
  const components = [...libraries.values(), runtime];
  const bill = {
    metadata: { component: { ...self, "bom-ref": self.purl, licenses: [{ license: { id: "Apache-2.0" } }] } },
    components,
    dependencies: [{ ref: self.purl, dependsOn: components.map((component) => component["bom-ref"]) }],
  };
  const head = { bomFormat: "CycloneDX", specVersion: "1.6", serialNumber: serialNumberOf(bill), version: 1 };
  return `${JSON.stringify({ ...head, ...bill }, undefined, 2)}\n`;
}

/** The folder in `node_modules` that a file belongs to. */
function packageFolder(path: string): string | undefined {
  return /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

type Component = ReturnType<typeof componentOf>;

function componentOf({ name, version, integrity, license }: LockedPackage) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return {
    type: "library",
    name,
    version,
    purl,
    "bom-ref": purl,
    ...(license === undefined ? {} : { licenses: [licenseOf(license)] }),
    hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex") }],
  };
}

function licenseOf(license: string) {
  return /[ (]/.test(license) ? { expression: license } : { license: { id: license } };
}

/** A number that is the same for equal contents, in the form of a UUID of version 8. */
function serialNumberOf(bill: object): string {
  const hash = createHash("sha256").update(JSON.stringify(bill)).digest("hex");
  return `urn:uuid:${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
