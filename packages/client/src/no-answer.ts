const refused = "cannot be reached: the connection is refused. Check the port, and whether the service runs.";
const unknownHost = "cannot be reached: the name of the host is not known. Check the address.";
const certificate = "cannot be trusted: its certificate is not valid here. Check the address and the certificate.";
const authority = `${certificate} If it is of an authority of your own, name that authority's certificate in NODE_EXTRA_CA_CERTS.`;
const noTls = "does not speak TLS there. Write http:// if the service has no certificate, or check the port.";
const redirected = "sends calls elsewhere. Write the address that it leads to, such as https:// instead of http://.";

/** Names that the runtimes give to the reasons why there is no answer. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: refused,
  ConnectionRefused: refused,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  EPROTO: noTls,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  UnexpectedRedirect: redirected,
  CERT_HAS_EXPIRED: certificate,
  DEPTH_ZERO_SELF_SIGNED_CERT: authority,
  SELF_SIGNED_CERT_IN_CHAIN: authority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: authority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: authority,
  ERR_TLS_CERT_ALTNAME_INVALID: certificate,
};

/** Why there is no answer and what to do, as far as the runtime says it: a browser does not. */
export function noAnswerReason(error: unknown): string {
  const known = [codeOf(error), error instanceof Error ? codeOf(error.cause) : ""].map((code) => reasons[code]);
  return (
    known.find((reason) => reason !== undefined) ??
    "cannot be reached, or the connection broke. Check the address, the network, and whether the service runs."
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
