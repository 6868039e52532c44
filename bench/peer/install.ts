import { existsSync } from "node:fs";
import { join } from "node:path";

const folder = import.meta.dir;
const marker = join(folder, "node_modules/.installed");

/** Installs the packages of the peer unless they are installed, and gives the Node that runs it. */
export async function installPeer(tell: (line: string) => void): Promise<string> {
  const locked = new Bun.CryptoHasher("sha256").update(await Bun.file(join(folder, "package-lock.json")).text());
  const wanted = locked.digest("hex");
  const installed = existsSync(marker) ? await Bun.file(marker).text() : "";
  if (installed !== wanted) {
    tell("The peer's packages are being installed.");
    // No package runs a program of its own while it is installed.
    await run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    await Bun.write(marker, wanted);
  }
  return findNode();
}

/** The machine's Node where it has node:sqlite, else the one that was installed with the peer. */
async function findNode(): Promise<string> {
  const onMachine = Bun.which("node");
  if (onMachine !== null) {
    const probe = Bun.spawn([onMachine, "--eval", 'require("node:sqlite")'], { stdout: "ignore", stderr: "ignore" });
    if ((await probe.exited) === 0) return onMachine;
  }
  const own = join(folder, `node_modules/node-linux-${process.arch}/bin/node`);
  if (!existsSync(own)) throw new Error("The peer needs Node 22.13 or newer: install it, or use --without-peer.");
  return own;
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { cwd: folder, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const [errors, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed: ${errors.slice(-2000)}`);
}
