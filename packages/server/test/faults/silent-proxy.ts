import { createServer, Socket } from "node:net";
import { findSteadyPort } from "../steady-port";

/** A way to a database that can fall silent without being closed, as a network does that has parted. */
export interface SilentProxy {
  port: number;
  /** From now on nothing passes, in neither direction; who connects is accepted and hears nothing. */
  fallSilent(): void;
  /** Lets everything pass again, also what was held back. */
  speak(): void;
  /** Whatever goes over the open connections is lost from now on, except on the oldest one. New ones work. */
  forgetAllButOldest(): void;
  close(): void;
}

/** Where something listens on this machine. */
export interface ProxyTarget {
  host: string;
  port: number;
}

/** Starts a way to a place of this machine, from another one or from a port that is free. */
export async function startSilentProxy(target: ProxyTarget, from?: ProxyTarget): Promise<SilentProxy> {
  const { host, port } = from ?? { host: "127.0.0.1", port: await findSteadyPort() };
  const pairs = new Set<[Socket, Socket]>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = new Socket();
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("data", (data) => other.write(data));
      one.on("error", () => {});
      one.on("close", () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
    far.connect(target.port, target.host);
    if (isSilent) for (const socket of pair) socket.pause();
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  return {
    port,
    fallSilent() {
      isSilent = true;
      for (const socket of [...pairs].flat()) socket.pause();
    },
    speak() {
      isSilent = false;
      for (const socket of [...pairs].flat()) socket.resume();
    },
    forgetAllButOldest() {
      for (const socket of [...pairs].slice(1).flat()) socket.pause();
    },
    close() {
      server.close();
      for (const socket of [...pairs].flat()) socket.destroy();
    },
  };
}
