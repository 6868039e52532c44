import type { CommandLineFiles } from "./command-line-files";

/** A file of a package. */
export interface PackagedFile {
  /** Where it is installed. */
  path: string;
  mode: number;
  /** A file beside the packaging, or the contents themselves. */
  from: { file: string } | { text: string };
  /** True if it is packed with gzip, as manual pages and changelogs are. */
  isPacked?: boolean;
}

/** A Debian package. */
export interface DebianPackage {
  name: string;
  depends: string;
  suggests: string;
  summary: string;
  description: readonly string[];
  files: readonly PackagedFile[];
  /** Folders that are empty when they are installed. */
  folders: readonly { path: string; mode: number }[];
  /** Scripts that run when it is installed or removed, by its name in the packaging. */
  scripts: readonly string[];
  conffiles: readonly string[];
  /** Intended deviations that lintian finds, with the reason. */
  overrides: readonly { tag: string; reason: string }[];
}

/** Parts of the packages. */
export interface PackagedParts extends CommandLineFiles {
  executable: string;
  billOfMaterials: string;
  version: string;
  /** The folder of units and scripts. */
  packaging: string;
}

const notUploaded = {
  tag: "initial-upload-closes-no-bugs",
  reason: "The package is built by its makers, not uploaded to Debian.",
};

/** The two packages: what every host needs, and the service. */
export function debianPackages(parts: PackagedParts): DebianPackage[] {
  const { executable, billOfMaterials, version, manPage, completions, packaging } = parts;
  const own = (name: string) => ({ file: `${packaging}/${name}` });
  return [
    {
      name: "holdfast",
      depends: "libc6 (>= 2.17)",
      suggests: "restic, borgbackup, holdfast-server",
      summary: "control plane for data protection: command line and runner",
      description: [
        'Put "holdfast run --" before a backup command: it runs unchanged, and its',
        "progress, its log and its end are reported to a Holdfast service. What cannot",
        "be delivered waits in /var/spool/holdfast, and a timer delivers it.",
      ],
      files: [
        { path: "/usr/bin/holdfast", mode: 0o755, from: { file: executable } },
        { path: "/lib/systemd/system/holdfast-spool.service", mode: 0o644, from: own("holdfast-spool.service") },
        { path: "/lib/systemd/system/holdfast-spool.timer", mode: 0o644, from: own("holdfast-spool.timer") },
        { path: "/usr/share/man/man1/holdfast.1.gz", mode: 0o644, from: { text: manPage }, isPacked: true },
        {
          path: "/usr/share/bash-completion/completions/holdfast",
          mode: 0o644,
          from: { text: completions.bash },
        },
        { path: "/usr/share/zsh/vendor-completions/_holdfast", mode: 0o644, from: { text: completions.zsh } },
        { path: "/usr/share/fish/vendor_completions.d/holdfast.fish", mode: 0o644, from: { text: completions.fish } },
        { path: "/usr/share/doc/holdfast/holdfast.cdx.json", mode: 0o644, from: { file: billOfMaterials } },
      ],
      folders: [
        { path: "/etc/holdfast", mode: 0o755 },
        { path: "/var/spool/holdfast", mode: 0o700 },
      ],
      scripts: ["holdfast.preinst", "holdfast.postinst", "holdfast.prerm", "holdfast.postrm"],
      conffiles: [],
      overrides: [
        notUploaded,
        { tag: "unstripped-binary-or-object", reason: "The program is behind the symbols: stripped, it is lost." },
        { tag: "embedded-library", reason: "The runtime is one file with its libraries, as its makers build it." },
        { tag: "non-standard-dir-perm", reason: "Reports that wait are for root alone." },
        { tag: "hardening-no-pie", reason: "The runtime is built so by its makers." },
        { tag: "hardening-no-relro", reason: "The runtime is built so by its makers." },
      ],
    },
    {
      name: "holdfast-server",
      depends: `holdfast (= ${version}), adduser`,
      suggests: "postgresql, nginx | caddy",
      summary: "control plane for data protection: the service",
      description: [
        "Records every backup, restore and snapshot of your hosts in one place, shows",
        "each part of an organization its own, and has a web console and a REST API.",
        "The service runs as a user of its own, in a sandbox, with an embedded database,",
        "which a timer backs up every night.",
      ],
      files: [
        { path: "/lib/systemd/system/holdfast.service", mode: 0o644, from: own("holdfast.service") },
        { path: "/lib/systemd/system/holdfast-backup.service", mode: 0o644, from: own("holdfast-backup.service") },
        { path: "/lib/systemd/system/holdfast-backup.timer", mode: 0o644, from: own("holdfast-backup.timer") },
        { path: "/etc/holdfast/holdfast.json", mode: 0o644, from: own("holdfast.json") },
        { path: "/usr/lib/holdfast/before-upgrade", mode: 0o755, from: own("before-upgrade") },
      ],
      folders: [],
      scripts: ["holdfast-server.postinst", "holdfast-server.prerm", "holdfast-server.postrm"],
      conffiles: ["/etc/holdfast/holdfast.json"],
      overrides: [notUploaded],
    },
  ];
}
