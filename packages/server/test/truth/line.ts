import { createServer, Socket } from "node:net";

/** The line of one runner to the service, which can be cut. */
export interface Line {
  url: string;
  /** Ends what is open, and from now on lets nothing pass. */
  cut(): void;
  mend(): void;
  close(): void;
}

/** Lays a line to one of several ports of this machine, each time to the one that is chosen. */
export async function layLine(choose: () => number): Promise<Line> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    near.on("error", () => {});
    if (isCut) {
      near.destroy();
      return;
    }
    const far = new Socket();
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on("data", (data) => other.write(data));
      one.on("error", () => {});
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
    far.connect(choose(), "127.0.0.1");
  });
  const port = await new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve(Object(server.address()).port)),
  );
  const drop = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    cut() {
      isCut = true;
      drop();
    },
    mend() {
      isCut = false;
    },
    close() {
      isCut = true;
      server.close();
      drop();
    },
  };
}
