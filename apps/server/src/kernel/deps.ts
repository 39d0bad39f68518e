import type { Database } from './database.ts';
import type { AuditSigner } from './audit-signer.ts';
import type { Config } from './config.ts';
import type { Derive } from './derive.ts';
import type { Gauges } from './gauges.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { Live } from './live.ts';
import type { Log } from './log.ts';
import type { Passwords } from './passwords.ts';
import type { OpenPdf } from './pdf.ts';
import type { Sandbox } from './sandbox.ts';
import type { Slack } from './slack.ts';
import type { Tokens } from './tokens.ts';
import type { Vault } from './vault.ts';
import type { WebhookPost } from './webhook-post.ts';

/** What use cases are given; made once at the start of the process. */
export type Deps = {
  config: Config;
  log: Log;
  db: Database;
  /** Whether the database answered when it was asked last. */
  databaseAnswers: () => boolean;
  tokens: Tokens;
  passwords: Passwords;
  derive: Derive;
  /** By the secrets of before, newest first: what others still expect of them. */
  derivedBefore: readonly Derive[];
  vault: Vault;
  auditSigner: AuditSigner;
  openPdf: OpenPdf;
  /** Runs scripts and expressions that people wrote. */
  sandbox: Sandbox;
  /** Null where this installation has no Slack app. */
  slack: Slack | null;
  /** Null where this installation signs in by passwords alone. */
  identityProvider: IdentityProvider | null;
  live: Live;
  /** The way out to addresses that people typed in. */
  webhookPost: WebhookPost;
  /** The address that links in mails begin with; never taken from a request. */
  publicUrl: string;
  /** Tells the dispatcher that a committed transaction left jobs in the outbox. */
  pokeOutbox: () => void;
  /** How the installation stands now. */
  gauges: () => Promise<Gauges>;
};
