import type { Sign } from "./diagnostics";

/** Words of programs written in Go about network and storage: restic and rclone share their libraries. */
export const goStorageSigns: readonly Sign[] = [
  {
    pattern:
      /no space left on device|quota exceeded|disk quota|StorageQuotaExceeded|QuotaExceeded|too big for remaining disk space/i,
    code: "repository_full",
  },
  { pattern: /SlowDown|too many requests|\b429\b|TooManyRequests|rateLimitExceeded/i, code: "too_many_requests" },
  { pattern: /AccessDenied|Access Denied|\b403\b|InvalidAccessKeyId|SignatureDoesNotMatch/, code: "bucket_forbidden" },
  {
    pattern: /connection reset|unexpected EOF|broken pipe|use of closed network connection/i,
    code: "connection_closed",
  },
  {
    pattern: /dial tcp|no route to host|no such host|network is unreachable|Could not resolve|i\/o timeout/i,
    code: "host_unreachable",
  },
];
