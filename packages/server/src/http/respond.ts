import { unitHeader } from "@holdfast/api/conventions/unit-header";
import type { Reply, ReplyBody, WholeBody } from "./reply";

/** Headers of one response, beside those that all have and those of its reply. */
type OwnHeaders = Readonly<Record<string, string>>;

/** Parts that the headers of all responses are made of. */
export interface RespondParts {
  vendor: string;
  baseUrl: string;
}

/** Makes responses of replies. */
export interface Respond {
  withWhole(method: string, reply: Reply<WholeBody | null>, headers: OwnHeaders): Response;
  withStream(method: string, reply: Reply<ReadableStream<Uint8Array>>, headers: OwnHeaders): Response;
  /** Makes what responds with the same reply each time. That is the quickest response there is. */
  withSame(reply: Reply): (method: string, headers: OwnHeaders) => Response;
}

/** Makes what gives each response the headers that all have. */
export function createRespond(parts: RespondParts): Respond {
  // The runtime copies these much quicker than it reads an object.
  const common = new Headers(commonHeaders(parts));

  function respond(body: ReplyBody, { status, headers, cookies = [] }: Reply<ReplyBody>, own: OwnHeaders): Response {
    const response = new Response(body, { status, headers: common });
    setAll(response.headers, own);
    setAll(response.headers, headers);
    for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
    return response;
  }

  return {
    withWhole(method, reply, headers) {
      const { body } = reply;
      if (body === null) return respond(null, reply, headers);
      if (method !== "HEAD") return respond(inOnePiece(body), reply, headers);
      return respond(null, reply, { ...headers, "Content-Length": String(Buffer.byteLength(body)) });
    },
    withStream(method, reply, headers) {
      // The connection ends with the stream, since its idle limit was lifted for good.
      const ending = { ...headers, Connection: "close" };
      if (method !== "HEAD") return respond(reply.body, reply, ending);
      void reply.body.cancel();
      // Headers that GET would have. Without it the runtime says that the length is 0.
      return respond(null, reply, { ...ending, "Transfer-Encoding": "chunked" });
    },
    withSame({ status, headers, body }) {
      const same = new Headers(common);
      setAll(same, headers);
      const ofHead = new Headers(same);
      ofHead.set("Content-Length", String(Buffer.byteLength(body ?? "")));
      return (method, own) => {
        const isHead = method === "HEAD";
        const response = new Response(isHead ? null : body, { status, headers: isHead ? ofHead : same });
        setAll(response.headers, own);
        return response;
      };
    },
  };
}

/** The runtime sends smaller bodies in one piece with their headers by itself. */
const smallBody = 8_192;

/**
 * A large body as a stream that has ended. Otherwise the runtime writes each part of a header with a system call of its own if it is
 * answered later than in the turn of its request, as everything is that asks a server: three times the work of the response.
 */
function inOnePiece(body: WholeBody): ReplyBody {
  const size = Buffer.byteLength(body);
  if (size < smallBody) return body;
  return new ReadableStream(
    {
      type: "direct",
      pull(controller) {
        controller.write(body);
        controller.end();
      },
    },
    { highWaterMark: size + 1 },
  );
}

function setAll(headers: Headers, those: OwnHeaders): void {
  for (const name in those) headers.set(name, those[name] ?? "");
}

/** The request headers that responses depend on. */
export function varyOf({ vendor }: Pick<RespondParts, "vendor">): string {
  return `Accept, Accept-Encoding, Authorization, ${unitHeader(vendor)}`;
}

/** Headers of every response, unless its endpoint says otherwise. */
function commonHeaders({ vendor, baseUrl }: RespondParts): Record<string, string> {
  return {
    Vary: varyOf({ vendor }),
    "Cache-Control": "private, no-cache",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(baseUrl.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  };
}
