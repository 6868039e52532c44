import { type OutboundAnswer, type Post, post } from "./post";
import { createTargets, type Resolve, type Targets, TargetUnknown } from "./targets";

/** Message and its target. */
export interface OutboundMessage extends Pick<Post, "headers" | "body" | "turn" | "onLeft"> {
  url: string;
}

/** Sends messages to addresses that users have named. */
export interface Outbound {
  /** Refuses an address that must not be sent to. One whose name is not found just now may be found later, if it has TLS. */
  check(url: string): Promise<void>;
  send(message: OutboundMessage): Promise<OutboundAnswer>;
}

export interface OutboundOptions {
  allowed: readonly string[];
  baseUrl: string;
  baseUrlAliases?: readonly string[] | undefined;
  /** Only tests have other servers of names, other certificates and shorter timeouts. */
  resolve?: Resolve | undefined;
  trusted?: string | undefined;
  timeouts?: { connect: number; answer: number } | undefined;
}

const defaultTimeouts = { connect: 5_000, answer: 15_000 };

export function createOutbound({
  resolve,
  trusted,
  timeouts = defaultTimeouts,
  ...options
}: OutboundOptions): Outbound {
  const targets = createTargets({ ...options, resolve });
  return {
    async check(url) {
      targets.requirePlainSpelling(url);
      try {
        await within(timeouts.connect, targets.find(url));
      } catch (error) {
        if (!(error instanceof TargetUnknown)) throw error;
        targets.requireTlsOrNamed(url);
      }
    },
    async send({ url, onLeft = () => {}, ...message }) {
      const begun = performance.now();
      try {
        const target = await findTarget(targets, url, timeouts.connect);
        const limits = { connectBy: begun + timeouts.connect, answerBy: begun + timeouts.answer };
        return await post({ ...message, ...limits, target, trusted, onLeft });
      } finally {
        onLeft();
      }
    },
  };
}

/** Once for each attempt: the name may lead elsewhere by now. */
function findTarget(targets: Targets, url: string, milliseconds: number) {
  return within(milliseconds, targets.find(url));
}

async function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TargetUnknown("The name was not found in time.")), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
