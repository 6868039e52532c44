/** Every token fits this, so that a scanner for leaked secrets can find it; SECURITY.md gives it. */
export const tokenPattern =
  "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImhmL[A-Za-z0-9_-]{15,40}\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]{86}";
