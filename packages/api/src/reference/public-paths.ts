/** A path that needs no token and stands outside the resources: for machines that watch the service, and for readers. */
export interface PublicPath {
  id: string;
  path: string;
  summary: string;
  mediaType: string;
  /** The statuses of its own refusals, where it has any. */
  refusals?: readonly number[];
}

export const publicPaths: readonly PublicPath[] = [
  {
    id: "read-health",
    path: "/healthz",
    summary: "Tell whether the process is alive.",
    mediaType: "application/json",
  },
  {
    id: "read-readiness",
    path: "/readyz",
    summary: "Tell whether the service can take requests: 503 while it stops, and while its database is away.",
    mediaType: "application/json",
    refusals: [503],
  },
  {
    id: "read-metrics",
    path: "/metrics",
    summary:
      "Read figures in the Prometheus text format. Where `metrics_token` is set, with that token; without one it is there (else 404) only while nothing but the machine itself reaches the service.",
    mediaType: "text/plain",
    refusals: [401, 404],
  },
  {
    id: "read-signing-keys",
    path: "/.well-known/jwks.json",
    summary: "Read the public keys that tokens are signed with.",
    mediaType: "application/json",
  },
  {
    id: "read-description",
    path: "/openapi.json",
    summary: "Read the OpenAPI description of this service.",
    mediaType: "application/json",
  },
  {
    id: "read-docs",
    path: "/docs",
    summary: "Read the API in a browser.",
    mediaType: "text/html",
  },
];
