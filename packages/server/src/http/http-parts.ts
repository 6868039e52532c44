import type { Metrics } from "../telemetry/metrics";
import type { ConsoleFileParts } from "./endpoints/console-files";
import type { OperationEndpointParts } from "./endpoints/operation-endpoints";
import type { PublicParts } from "./endpoints/public-endpoints";
import type { SessionEndpointParts } from "./endpoints/session-endpoints";
import type { ExchangeParts } from "./request-pipeline";

/** Parts that answering requests needs. Each function declares those that it takes. */
export interface HttpParts
  extends ExchangeParts,
    OperationEndpointParts,
    SessionEndpointParts,
    PublicParts,
    ConsoleFileParts {
  metrics: Metrics;
}
