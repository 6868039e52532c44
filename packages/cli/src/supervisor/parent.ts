/** The message of a process to its supervisor when it is ready to serve. */
export interface ReadyNews {
  port: number;
  baseUrl: string;
  hasTokens: boolean;
  /** Made by the first process of a start alone. */
  firstOwnerLink: string | null;
}

/** The repeated message of a serving process to its supervisor: it is not stuck. */
export const signOfLife = "alive";
/** How often it does, in milliseconds. */
export const lifeInterval = 1_000;

/** The supervisor that started this process. */
export interface Parent {
  /** The port that is shared; 0 where this process is the first and lets the system choose. */
  port: number;
  /** Whether others serve already, or did: this process is not the first of its start. */
  hasOthers: boolean;
  /** Settled when the supervisor is no more. */
  gone: Promise<void>;
  /** Also gives signs of life from then on. Before that, opening the data may take any time. */
  tellReady(news: ReadyNews): void;
  /** Sends no more messages, and releases what keeps this process from ending. */
  leave(): void;
}

/** Marks a process that a supervisor started. It is not a setting: only the supervisor sets it. */
export const sharedPortVariable = "HOLDFAST_SHARED_PORT";
export const hasOthersVariable = "HOLDFAST_HAS_OTHERS";

/** Finds the supervisor of this process, if there is one. */
export function findParent(environment: Record<string, string | undefined>): Parent | undefined {
  const port = environment[sharedPortVariable];
  const send = process.send?.bind(process);
  if (port === undefined || !send) return undefined;
  return {
    port: Number(port),
    hasOthers: environment[hasOthersVariable] === "true",
    // Listened for at once: a supervisor can go while the data is still being opened.
    gone: new Promise((resolve) => process.once("disconnect", resolve)),
    tellReady(news) {
      if (!process.connected) return;
      send(news);
      const timer = setInterval(() => {
        if (process.connected) send(signOfLife);
        else clearInterval(timer);
      }, lifeInterval);
      timer.unref();
    },
    leave() {
      if (process.connected) process.disconnect?.();
    },
  };
}
