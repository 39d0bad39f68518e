import type { MacCheck, NoteKey, Sign } from '@stet/domain/audit';
import type { Database } from './database.ts';
import type { Config } from './config.ts';
import type { Derive } from './derive.ts';
import type { Gauges } from './gauges.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { Live } from './live.ts';
import type { Log } from './log.ts';
import type { OpenPdf } from './pdf.ts';
import type { Previews } from './previews.ts';
import type { Sandbox } from './sandbox.ts';
import type { Slack } from './slack.ts';
import type { Vault } from './vault.ts';
import type { WebhookPost } from './webhook-post.ts';

/** The dependencies of use cases. They are created once, when the process starts. */
export type Deps = {
  version: Version;
  config: Config;
  log: Log;
  db: Database;
  /** Returns true if the database could be used at the last check. */
  databaseAnswers: () => boolean;
  /** Returns the reason why the data directory couldn't be used at the last check. Null if it could. */
  dataDirectoryProblem: () => string | null;
  /** Returns true if the disk had too little space for the embedded database at the last check. */
  isDiskFull: () => boolean;
  tokens: Tokens;
  passwords: Passwords;
  derive: Derive;
  /** Derives bytes from previous secrets, newest first, to check values that were issued with them. */
  derivedBefore: readonly Derive[];
  vault: Vault;
  auditSigner: AuditSigner;
  auditMac: AuditMac;
  openPdf: OpenPdf;
  /** Slots for writing PDFs, each of which needs memory and a CPU. Organizations take turns. */
  pdfQueue: Places;
  /** Slots for reading and storing bodies of bytes, each of which is completely in memory. Organizations take turns. */
  byteQueue: Places;
  /** Slots for computing the digests of uploads. Organizations take turns. */
  digestQueue: Places;
  /** Runs user-written scripts and expressions. */
  sandbox: Sandbox;
  /** Makes previews of uploaded images. */
  previews: Previews;
  /** Null if this installation has no Slack app. */
  slack: Slack | null;
  /** Null if people can only sign in with passwords. */
  identityProvider: IdentityProvider | null;
  live: Live;
  /** The HTTP client for addresses that users enter. */
  webhookPost: WebhookPost;
  /** The public base address of this installation, for links. It is never taken from a request. */
  publicUrl: string;
  /**
   * Makes the dispatcher look for new jobs in the outbox. Call it after a database function that may have enqueued
   * some. Jobs that a transaction enqueues itself don't need the call: its commit makes the dispatcher look.
   */
  pokeOutbox: () => void;
  /** Access to all organizations for administrators of the installation; null if there are none. */
  administration: Administration | null;
  /** The installation's current gauges. */
  gauges: () => Promise<Gauges>;
};

/**
 * Database access for administrators of the installation. `query` works as the owner of the schema, which sees all
 * organizations.
 */
export type Administration = {
  query: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;
  /** Transactions as the owner of the schema, for changes that concern several organizations. */
  ownerDb: Database;
  /** Transactions with audit events, as in the server: each sees one organization. */
  db: Database;
};

export type Version = {
  /** For example `0.1.0`. */
  version: string;
  /**
   * The commit from which the server was built, as 12 hex digits with `-dirty` if files were changed, or as the build's
   * variable `STET_COMMIT` gives it. Null if unknown.
   */
  commit: string | null;
  /** The last migration, for example `0188_notes`. */
  schema: string;
};

type TokenClaims = { userId: string; sessionId: string; email: string; name: string; role: string };

export type Tokens = {
  /** Lifetime of a token and its session, in seconds. */
  lifetimeSeconds: number;
  sign: (claims: TokenClaims) => Promise<string>;
  /** Returns the session of a token. Null if the token isn't ours, was altered or has expired. */
  sessionOf: (token: string) => Promise<string | null>;
};

export type Passwords = {
  /** Refuses a new password that is shorter than `minimum` or on the list of common passwords. */
  assertGood: (password: string, minimum?: number) => Promise<void>;
  hash: (password: string) => Promise<string>;
  /**
   * Checks a password. Takes the same time if there is no stored hash, so that the timing doesn't reveal whether an
   * account exists.
   */
  verify: (stored: string | null, password: string) => Promise<boolean>;
};

export type Places = {
  /** Maximum number of slots per owner. */
  mostEach: number;
  /**
   * Waits for a slot and runs the work. Refuses with `too_many_requests` if too many jobs of this owner are waiting,
   * and with `busy` if too many are waiting in total. If `signal` is aborted, it stops waiting and refuses with
   * `client_gone`.
   */
  at: <T>(owner: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
  /** Rejects all waiting work. */
  close: (problem: Error) => void;
};

/**
 * Signs checkpoints of the audit trail. Its key is in a file and not in the database, so write access to the database
 * isn't enough to sign.
 */
export type AuditSigner = {
  /**
   * Returns the signing key of an organization. All organizations have the same key, but each under a different name.
   */
  keyOf: (orgId: string) => NoteKey;
  sign: Sign;
  /** The signing key, and the keys of other or previous servers: all `audit-*.pub` files in the key directory. */
  trustedKeysOf: (orgId: string) => NoteKey[];
  /**
   * Derives 32 bytes for another purpose from the private key (HKDF-SHA-256, RFC 5869). The private key can't be
   * computed from them.
   */
  deriveSecret: (purpose: string) => Buffer;
};

/**
 * Creates and verifies the MACs of audit events. Its key is in a file and not in the database, so an SQL statement
 * can't append a valid event.
 */
export type AuditMac = {
  /** HMAC-SHA-256 of a message, 32 bytes. */
  macOf: (message: Uint8Array) => Buffer;
  /** Returns the MAC check for the trail of an organization. */
  checkOf: (orgId: string) => MacCheck;
  /** False until a server with MACs has started for the first time and recorded which events have none. */
  hasBoundary: () => boolean;
  /**
   * Records, only once, the number of events that each organization had before MACs were introduced. In later
   * organizations, every event has a MAC.
   */
  saveBoundary: (sizes: ReadonlyMap<string, number>) => void;
};
