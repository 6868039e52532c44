import { connect } from "node:net";

/** What came back over a connection. */
export interface RawAnswer {
  /** The status of every response, in order. */
  statuses: number[];
  text: string;
  /** Whether the server ended the connection. */
  isClosed: boolean;
}

/** Sends bytes as they are, and gives what comes back until the server closes or says nothing for a while. */
export function sendRaw(port: number, bytes: string, silence = 600): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    const finish = (isClosed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
      resolve({ statuses, text, isClosed });
    };
    let timer = setTimeout(finish, silence, false);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      clearTimeout(timer);
      timer = setTimeout(finish, silence, false);
    });
    // A reset is one way of closing; the close that follows tells it.
    socket.on("error", () => {});
    socket.on("close", () => finish(true));
  });
}
