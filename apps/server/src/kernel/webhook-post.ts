/** How a request to a stranger's address ended. */
export type PostOutcome =
  | { ok: true; status: number; tookMs: number }
  | { ok: false; status: number | null; problem: string; tookMs: number };

/** Sends to addresses that people typed in. Nothing is ever sent where the installation doesn't allow it. */
export type WebhookPost = {
  /** Why nothing may be sent to the address, as the rest of a sentence that begins with it; null where it may. Asks the name service. */
  problemOf: (url: string) => Promise<string | null>;
  /** Looks the name up, checks what it stands for, and sends to exactly that. Never rejects. */
  send: (request: { url: string; headers: Record<string, string>; body: string }) => Promise<PostOutcome>;
};
