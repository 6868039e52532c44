import { createServer } from "node:net";

const lowest = 12_000;
const highest = 32_000;

/**
 * A port that is free and lies below those that the system gives to connections. From among those, one could be taken
 * while the server is down, even by a client that tries to reach the server and then finds itself.
 */
export async function findSteadyPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isFree(port)) return port;
  }
  throw new Error(`There is no free port between ${lowest} and ${highest}.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once("error", () => resolve(false))
      .listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
