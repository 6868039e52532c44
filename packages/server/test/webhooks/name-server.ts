import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import type { Resolve } from "../../src/outbound/targets";

/** A server of names on this machine, of which every answer can be another one. */
export interface NameServer {
  /** Number of lookups of the addresses of a name. */
  asked(name: string): number;
  resolve: Resolve;
  close(): Promise<void>;
}

const types = { 1: 4, 28: 6 } as const;

/** Starts a server of names. It is asked over the network, as any other. The addresses follow from how often it was asked. */
export async function startNameServer(
  addressesOf: (name: string, time: number) => readonly string[],
): Promise<NameServer> {
  const asked = new Map<string, number>();
  const socket = createSocket("udp4");
  socket.on("message", (question, { port, address }) => {
    const { name, type, bytes } = readQuestion(question);
    const family = type === 1 || type === 28 ? types[type] : 0;
    // Both families are asked for at a time: the first of the two questions counts.
    const time = (asked.get(name) ?? 0) + (type === 1 ? 1 : 0);
    asked.set(name, time);
    const found = addressesOf(name, time).filter((one) => isIP(one) === family);
    const answers = found.map((one) => writeAnswer(type, one));
    const head = Buffer.from([0x81, 0x80, 0, 1, 0, answers.length, 0, 0, 0, 0]);
    socket.send(Buffer.concat([question.subarray(0, 2), head, bytes, ...answers]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    asked: (name) => asked.get(name) ?? 0,
    async resolve(name) {
      const ipv4 = await resolver.resolve4(name).catch(() => []);
      const ipv6 = await resolver.resolve6(name).catch(() => []);
      return [...ipv4, ...ipv6];
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(message: Buffer): { name: string; type: number; bytes: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return {
    name: labels.join(".").toLowerCase(),
    type: message.readUInt16BE(at + 1),
    bytes: message.subarray(12, at + 5),
  };
}

/** Points to the name in the question, and holds for no time at all. */
function writeAnswer(type: number, address: string): Buffer {
  const bytes =
    type === 1
      ? address.split(".").map(Number)
      : [...Buffer.from(address.replaceAll(":", "").padStart(32, "0"), "hex")];
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
}
