/** The outcome of a request to an external address. */
export type PostOutcome =
  | { ok: true; status: number; tookMs: number }
  | { ok: false; status: number | null; problem: string; tookMs: number };

/** Sends requests to user-supplied addresses, but only to those that the installation allows. */
export type WebhookPost = {
  /**
   * Returns the reason why the address is refused, as the rest of a sentence that begins with the address. Null if it
   * is allowed. Looks the name up in DNS.
   */
  problemOf: (url: string) => Promise<string | null>;
  /** Resolves the name, checks the resulting address, and sends to exactly that address. Never rejects. */
  send: (request: { url: string; headers: Record<string, string>; body: string }) => Promise<PostOutcome>;
};
