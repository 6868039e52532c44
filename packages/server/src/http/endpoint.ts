import type { Service } from "../service";
import type { Address } from "./receive";
import type { Reply } from "./reply";

/** A request on its way through. What is found out about the caller is noted for the log. */
export interface Exchange {
  service: Service;
  request: Request;
  address: Address;
  /** The variables of the path. */
  variables: Record<string, string>;
  seen: { caller?: string; unitId?: string };
  /** Headers that go out with whatever is answered. */
  headers: Record<string, string>;
}

/** Something that can be asked for at a path. */
export interface Endpoint {
  /** What the log and the metrics call it: an operation id where it has one. */
  name: string;
  /** In the way of the router: `/tasks/:task_id`. */
  path: string;
  /** Answers GET and HEAD; other methods are refused before. */
  answer(exchange: Exchange): Reply | Promise<Reply>;
}
