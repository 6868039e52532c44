import { connect, createServer, type Socket } from "node:net";

/** Passes connections on to the service, and can be taken away. */
export async function openRelay(target: number, port: number): Promise<{ port: number; close(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(target, "127.0.0.1");
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(from);
      from.on("error", () => to.destroy()).on("close", () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The relay has no port.");
  return {
    port: address.port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
