import type { MacCheck, NoteKey, Sign } from '@stet/domain/audit';
import type { Database } from './database.ts';
import type { Config } from './config.ts';
import type { Derive } from './derive.ts';
import type { Gauges } from './gauges.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { Live } from './live.ts';
import type { Log } from './log.ts';
import type { OpenPdf } from './pdf.ts';
import type { Sandbox } from './sandbox.ts';
import type { Slack } from './slack.ts';
import type { Vault } from './vault.ts';
import type { WebhookPost } from './webhook-post.ts';

/** The dependencies of use cases, created once at the start of the process. */
export type Deps = {
  config: Config;
  log: Log;
  db: Database;
  /** True if the database responded to the last check. */
  databaseAnswers: () => boolean;
  tokens: Tokens;
  passwords: Passwords;
  derive: Derive;
  /** Derived from former secrets, newest first, for values issued with them. */
  derivedBefore: readonly Derive[];
  vault: Vault;
  auditSigner: AuditSigner;
  auditMac: AuditMac;
  openPdf: OpenPdf;
  /** Slots for writing PDFs: each takes memory and a CPU while it is written. Organizations take turns. */
  pdfQueue: Places;
  /** Runs user-written scripts and expressions. */
  sandbox: Sandbox;
  /** Null if this installation has no Slack app. */
  slack: Slack | null;
  /** Null if this installation only uses passwords. */
  identityProvider: IdentityProvider | null;
  live: Live;
  /** The HTTP client for user-supplied addresses. */
  webhookPost: WebhookPost;
  /** The base address of links in mails; never taken from a request. */
  publicUrl: string;
  /** Notifies the dispatcher that a committed transaction enqueued jobs in the outbox. */
  pokeOutbox: () => void;
  /** The installation's current gauges. */
  gauges: () => Promise<Gauges>;
};

type TokenClaims = { userId: string; sessionId: string; email: string; name: string; role: string };

export type Tokens = {
  /** Lifetime of a token and its session, in seconds. */
  lifetimeSeconds: number;
  sign: (claims: TokenClaims) => Promise<string>;
  /** The session of a token, or null if it is not ours, was altered or has expired. */
  sessionOf: (token: string) => Promise<string | null>;
};

export type Passwords = {
  /** Refuses a new password that is shorter than `minimum` or on the list of common passwords. */
  assertGood: (password: string, minimum?: number) => Promise<void>;
  hash: (password: string) => Promise<string>;
  /** Takes the same time without a stored hash, so that timing doesn't reveal whether an account exists. */
  verify: (stored: string | null, password: string) => Promise<boolean>;
};

export type Places = {
  /** Maximum slots per owner. */
  mostEach: number;
  /**
   * Waits for a slot and runs the work. Refuses with `too_many_requests` if this owner has too many waiting jobs, with
   * `busy` if too many are waiting in total, and with `client_gone` once `signal` is aborted, which also ends the wait.
   */
  at: <T>(owner: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
  /** Rejects all waiting work. */
  close: (problem: Error) => void;
};

/**
 * Signs checkpoints of the audit trail. Its key is in a file, not in the database: write access to the database isn't
 * enough to sign.
 */
export type AuditSigner = {
  /** The signing key of an organization: the same key for all, under each one's name. */
  keyOf: (orgId: string) => NoteKey;
  sign: Sign;
  /** That key, and those of other or former servers: each `audit-*.pub` in the key directory. */
  trustedKeysOf: (orgId: string) => NoteKey[];
  /**
   * 32 bytes for another purpose, derived from the private key, which can't be computed from them (HKDF-SHA-256, RFC
   * 5869).
   */
  deriveSecret: (purpose: string) => Buffer;
};

/**
 * Makes and verifies the MACs of audit events. Its key is in a file, not in the database: an SQL statement can't append
 * a valid event.
 */
export type AuditMac = {
  /** HMAC-SHA-256, 32 bytes. */
  macOf: (message: Uint8Array) => Buffer;
  /** The MAC check for the trail of an organization. */
  checkOf: (orgId: string) => MacCheck;
  /** False until the first start with MACs has recorded which events have none. */
  hasBoundary: () => boolean;
  /**
   * Records, once, how many events each organization had before MACs were introduced; a new organization has no events
   * without one.
   */
  saveBoundary: (sizes: ReadonlyMap<string, number>) => void;
};
