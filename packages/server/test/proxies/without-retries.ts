import { fill } from "./start-proxy";

/** haproxy's documented configuration, except that what a node did not answer is not asked again. */
export function withoutRetries(configuration: string): string {
  return fill(configuration, {
    "retries 3": "retries 0",
    "option redispatch 1": "no option redispatch",
    "retry-on conn-failure empty-response junk-response": "retry-on none",
  });
}
