/**
 * Every error that the API can answer with. The first three digits of a code are the HTTP status; the code is stable,
 * so that a program can distinguish errors without parsing the message.
 */
export const errorCatalogue = {
  parameterUnknown: { code: 40001, meaning: "A query parameter that the operation does not have." },
  parameterRepeated: { code: 40002, meaning: "A query parameter that was given more than once." },
  parameterInvalid: { code: 40003, meaning: "A query parameter whose value cannot be read." },
  filterMalformed: { code: 40004, meaning: "A filter that is not one JSON object, or that repeats a key." },
  filterFieldUnknown: { code: 40005, meaning: "A filter on a field that the list cannot be filtered by." },
  filterOperatorUnknown: { code: 40006, meaning: "A filter operator that the field does not have." },
  filterValueInvalid: { code: 40007, meaning: "A filter value of the wrong type, or an invalid timestamp." },
  filterTooLarge: { code: 40008, meaning: "A filter over one of the limits of length, depth, conditions or values." },
  cursorInvalid: { code: 40009, meaning: "A cursor that was altered, or that was made for another list." },
  headerRepeated: { code: 40010, meaning: "A header that may be given once was given more than once." },
  unitMalformed: { code: 40011, meaning: "The organizational-unit header is not a UUID." },
  hostInvalid: { code: 40012, meaning: "The Host header is missing, malformed or not one of this service's names." },
  urlMalformed: { code: 40013, meaning: "The request's address cannot be read." },
  acceptMalformed: { code: 40014, meaning: "An Accept header with too many entries." },
  bodyMalformed: { code: 40015, meaning: "A body that is not one JSON object, or that repeats a key." },
  keyMalformed: { code: 40016, meaning: "An Idempotency-Key that is too long or has unusual characters." },
  linkInvalid: { code: 40017, meaning: "A one-time link that was used, has expired or does not exist." },
  tokenMissing: { code: 40101, meaning: "No bearer token was sent." },
  tokenInvalid: { code: 40102, meaning: "The token is malformed, altered or not signed by a key of this service." },
  tokenExpired: { code: 40103, meaning: "The token is past its expiry." },
  tokenNotYetValid: { code: 40104, meaning: "The token is not valid yet: the clocks disagree." },
  tokenRevoked: { code: 40105, meaning: "The token was revoked, or is unknown here." },
  tokenForeign: { code: 40106, meaning: "The token was issued by another control plane." },
  accessEnded: { code: 40107, meaning: "The token's user is disabled or holds no role any more." },
  signInFailed: { code: 40108, meaning: "The address, the password or the one-time code is wrong." },
  codeMissing: { code: 40109, meaning: "A one-time code is needed beside the password." },
  sessionEnded: { code: 40110, meaning: "The session has ended, or its user's access has." },
  sessionMissing: { code: 40111, meaning: "No session cookie was sent." },
  unitForbidden: { code: 40301, meaning: "The organizational unit does not exist, or the caller holds no role in it." },
  permissionMissing: { code: 40302, meaning: "The caller's roles do not include the permission of the operation." },
  grantForbidden: {
    code: 40303,
    meaning: "The caller may not give or take permissions that the caller does not hold in that unit.",
  },
  originForbidden: { code: 40304, meaning: "A change by a session without its CSRF token, or from another site." },
  kindForbidden: {
    code: 40305,
    meaning: "A service token was used where only a person is allowed, or the other way round.",
  },
  pathUnknown: { code: 40401, meaning: "There is nothing at this path." },
  itemUnknown: { code: 40402, meaning: "There is no such item, or the caller may not see it." },
  methodNotAllowed: { code: 40501, meaning: "The path exists, but not with this method; see the Allow header." },
  versionNotAcceptable: { code: 40601, meaning: "The Accept header allows no version that the resource has." },
  bodyLate: { code: 40801, meaning: "The request's body did not arrive in time." },
  lastOwner: { code: 40901, meaning: "The last enabled owner of the root cannot be disabled, demoted or deleted." },
  alreadyThere: { code: 40902, meaning: "An item with that name or address exists already." },
  keyReused: { code: 40903, meaning: "The Idempotency-Key was used with another request." },
  stillUsed: { code: 40904, meaning: "The item is still in use, so it cannot be removed or changed like that." },
  wouldCircle: { code: 40905, meaning: "An organizational unit cannot be moved below itself." },
  stateConflict: { code: 40906, meaning: "The item is not in a state in which that can be done." },
  tooMany: { code: 40907, meaning: "The limit of such items is reached." },
  attemptSuperseded: { code: 40908, meaning: "A report of an earlier attempt: another one has taken the task over." },
  leaseForeign: { code: 40909, meaning: "Another caller holds the task, or another run has claimed it." },
  notAbortable: { code: 40910, meaning: "The task cannot be aborted now." },
  logGap: { code: 40911, meaning: "A piece of a log that begins beyond its end; see the Upload-Offset header." },
  preconditionFailed: { code: 41201, meaning: "The item has changed since the ETag in If-Match." },
  bodyTooLarge: { code: 41301, meaning: "The request's body is too large." },
  urlTooLong: { code: 41401, meaning: "The request's address is too long." },
  bodyTypeUnsupported: { code: 41501, meaning: "A body that is not sent as JSON." },
  bodyInvalid: { code: 42201, meaning: "A field of the body is missing, unknown or wrong." },
  rateExceeded: {
    code: 42901,
    meaning:
      "The person, the service or the address made too many requests, or used more than a fair share; see the Retry-After header.",
  },
  attemptsExceeded: { code: 42902, meaning: "Too many failed attempts to sign in; see the Retry-After header." },
  headersTooLarge: { code: 43101, meaning: "The request's headers are too large, or one of them is." },
  internal: {
    code: 50001,
    meaning: "An internal error. The log has the details under the incident id of the message.",
  },
  databaseAway: { code: 50301, meaning: "The database cannot be reached or is busy; see the Retry-After header." },
  overloaded: {
    code: 50302,
    meaning: "The service is handling as many requests as it can; see the Retry-After header.",
  },
  providerAway: { code: 50303, meaning: "The OpenID provider cannot be reached; see the Retry-After header." },
  queryTooLong: { code: 50304, meaning: "The filter took too long: narrow it." },
} as const satisfies Record<string, { code: number; meaning: string }>;

export type ErrorName = keyof typeof errorCatalogue;

/** The HTTP status that an error is answered with: the first three digits of its code. */
export function statusOf(name: ErrorName): number {
  return Math.floor(errorCatalogue[name].code / 100);
}
