import { openIdentityProvider } from './adapters/identity-provider.ts';
import { openMailer } from './adapters/mail.ts';
import { openSlack } from './adapters/slack.ts';
import { openSandbox } from './adapters/sandbox/sandbox.ts';
import { openWebhookPost } from './adapters/webhooks/webhook-post.ts';
import { handlers } from './app.ts';
import { startEmbeddedPostgres } from './db/embedded/start-embedded-postgres.ts';
import { type JobHandlers, type JobLane, openJobQueue } from './db/job-queue.ts';
import { openLiveChannel } from './db/live-channel.ts';
import { MIGRATIONS_DIRECTORY, migrate } from './db/migrate.ts';
import { type Connection, openPool, ownerClient } from './db/pool.ts';
import { watchPool } from './db/pulse.ts';
import { refusalOf } from './db/refusal-of.ts';
import { openDatabase } from './db/transaction.ts';
import { type Readiness, buildApp } from './http/app.ts';
import { findActor } from './http/authenticate.ts';
import { openLive } from './http/events/live.ts';
import { openFront } from './http/front.ts';
import { openAuditSigner } from './kernel/audit-signer.ts';
import type { Config } from './kernel/config.ts';
import type { Deps } from './kernel/deps.ts';
import type { Log } from './kernel/log.ts';
import type { Mailer } from './kernel/mail.ts';
import { openDerive } from './kernel/derive.ts';
import { openPasswords } from './kernel/passwords.ts';
import { regularly } from './kernel/regularly.ts';
import { secretKey } from './kernel/secret-key.ts';
import { openTokens } from './kernel/tokens.ts';
import { openVault } from './kernel/vault.ts';
import { sendAddressCode } from './modules/accounts/prove-address.ts';
import { sendPasswordReset } from './modules/accounts/send-password-reset.job.ts';
import { sweepAccounts } from './modules/accounts/sweep-accounts.job.ts';
import { revokePersonalTokens } from './modules/api-tokens/revoke-personal-tokens.job.ts';
import { sealOne, sealTrails } from './modules/audit/seal-trails.job.ts';
import { verifyTrail } from './modules/audit/verify-trail.job.ts';
import { remindOfEmergencies } from './modules/confirmations/remind-of-emergencies.job.ts';
import { actFromSlack } from './modules/integrations/act-from-slack.job.ts';
import { bringUpToDate } from './modules/integrations/refresh-in-slack.job.ts';
import { resealSlackTokens, revokeSlackToken } from './modules/integrations/slack-tokens.job.ts';
import { sweepSlack } from './modules/integrations/sweep-slack.job.ts';
import { tellInSlack } from './modules/integrations/tell-in-slack.job.ts';
import { sendInvitation } from './modules/invitations/send-invitation.job.ts';
import { mailNotice } from './modules/notifications/mail-notice.job.ts';
import { makeDigests } from './modules/notifications/make-digests.job.ts';
import { notifyAssignee } from './modules/notifications/notify-assignee.job.ts';
import { sendDigest } from './modules/notifications/send-digest.job.ts';
import { actOnRun } from './modules/runs/act-on-run.ts';
import { watchClocks } from './modules/runs/watch-clocks.ts';
import { carryOutStep } from './modules/runs/carry-out/carry-out-step.job.ts';
import { deliverWebhook, sweepWebhooks } from './modules/webhooks/deliver-webhook.job.ts';
import { feedWebhooks } from './modules/webhooks/feed-webhooks.ts';
import { sweepSteps } from './modules/runs/carry-out/sweep-steps.job.ts';

// Every node looks; a crossing is told at most this much late.
const WATCH_MS = 5000;
// An event is on its way to those who listen at most this much late.
const FEED_MS = 1000;

export type Server = { url: string; deps: Deps; stop: () => Promise<void> };

type ServerOptions = {
  config: Config;
  log: Log;
  /** Folder of the built web app; null serves the API alone. */
  webRoot: string | null;
  /** PostgreSQL is gone for good; the process should end. */
  onDatabaseLost?: (problem: Error) => void;
};

/**
 * Starts everything in order: HTTP first, so that health checks are answered while PostgreSQL starts and migrates.
 * What was opened is closed in the opposite order, also when a later part doesn't start; requests under way come first.
 */
export async function startServer({ config, log, webRoot, onDatabaseLost }: ServerOptions): Promise<Server> {
  const closing: (() => Promise<void> | void)[] = [];
  const readiness: Readiness = { state: 'starting' };
  let closeFront = async (): Promise<void> => {};
  let endStreams = (): void => {};
  const stop = async (): Promise<void> => {
    readiness.state = 'stopping';
    endStreams();
    await closeFront();
    for (let close = closing.pop(); close; close = closing.pop()) await close();
  };
  try {
    const front = await openFront(config);
    closeFront = front.close;
    const url = config.publicUrl ?? front.url;
    const connection = await connect(config, log, closing, onDatabaseLost);
    await migrate({ connect: () => ownerClient(connection), directory: MIGRATIONS_DIRECTORY, log });

    const onError = (error: Error): void => {
      if (readiness.state !== 'stopping') log.warn({ err: error }, 'a database connection was lost');
    };
    const pool = openPool(connection, { size: config.poolSize, onError });
    const watched = watchPool(pool, connection, log);
    const db = openDatabase(watched, refusalOf, (orgId, changes) => events.live.announce(orgId, changes));
    closing.push(db.close, watched.stopWatching);
    const events = openLive({
      send: (message) => channel.send(message),
      stillThere: async ({ sessionId, orgId }) => (await findActor(db, sessionId))?.orgId === orgId,
    });
    const channel = openLiveChannel({ connection, log, onMessage: events.hear, onGap: events.missed });
    closing.push(channel.stop, events.stop);
    endStreams = events.live.endStreams;
    const mailer = openMailer(config, log);
    closing.push(mailer.close);

    const sandbox = openSandbox();
    const secret = secretKey(config.secretKey, config.dataDir);
    const deps: Deps = {
      config,
      log,
      db,
      databaseAnswers: watched.answers,
      tokens: openTokens(secret),
      derive: openDerive(secret),
      derivedBefore: config.previousSecretKeys.map(openDerive),
      vault: openVault(secret, config.previousSecretKeys),
      slack: config.slack && openSlack(config.slack),
      identityProvider: config.oidc && openIdentityProvider(config.oidc),
      auditSigner: openAuditSigner(config.dataDir),
      passwords: await openPasswords(),
      openPdf: async (options) => (await import('./adapters/pdf.ts')).openPdf(options),
      sandbox,
      live: events.live,
      webhookPost: openWebhookPost(config.webhookAllow),
      publicUrl: url,
      pokeOutbox: () => jobs.poke(),
      gauges: async () => ({
        pool: {
          busy: pool.totalCount - pool.idleCount,
          idle: pool.idleCount,
          waiting: pool.waitingCount,
        },
        database: await jobs.gauges(),
      }),
    };
    const jobs = await openJobQueue(connection, lanesOf(deps, mailer), log);
    closing.push(jobs.stop);
    closing.push(regularly(WATCH_MS, () => watchClocks(deps), log).stop);
    closing.push(regularly(FEED_MS, () => feedWebhooks(deps), log).stop);
    // Before the jobs: one that waits for a script would make them wait as long.
    closing.push(sandbox.close);

    const app = await buildApp({ deps, handlers, readiness, webRoot });
    closing.push(() => app.close());
    front.serve((request, response) => app.routing(request, response));
    readiness.state = 'ready';
    return { url, deps, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What people wrote may take long, and whom it is sent to as well: each has a lane of its own, and organizations take turns. */
function lanesOf(deps: Deps, mailer: Mailer): JobLane[] {
  const carryOut = (payload: unknown): Promise<void> => carryOutStep(deps, mailer, payload);
  const deliver = (payload: Record<string, unknown>): Promise<void> => deliverWebhook(deps, deps.webhookPost, payload);
  const { scriptsAtOnce } = deps.sandbox;
  return [
    { handlers: handlersOf(deps, mailer), atOnce: 4 },
    // A mail server may be as slow. What someone has asked for and waits for stands behind no thousand assignments.
    { handlers: askedMailsOf(deps, mailer), atOnce: 2, isPatient: true },
    // Twice as many may wait as go out at once: of one organization alone there is always a next one at hand.
    { handlers: toldMailsOf(deps, mailer), atOnce: 4, turns: 8, isPatient: true },
    // Slack may answer slowly, or not at all, for as long as it likes.
    { handlers: slackHandlersOf(deps), atOnce: 4 },
    { handlers: { carry_out_message: carryOut }, atOnce: 4, turns: 1 },
    { handlers: { carry_out_condition: carryOut }, atOnce: 4, turns: 1 },
    // What an organization may run at once of the sandbox's places; who waits for one does so beside the others.
    { handlers: { carry_out_script: carryOut }, atOnce: 8 * scriptsAtOnce, turns: scriptsAtOnce },
    { handlers: { deliver_webhook: deliver }, atOnce: 4, turns: 2 },
  ];
}

const handlersOf = (deps: Deps, mailer: Mailer): JobHandlers => ({
  notify_assignee: (payload) => notifyAssignee(deps, payload),
  make_digests: () => makeDigests(deps),
  remind_of_emergencies: () => remindOfEmergencies(deps),
  carry_out_step: (payload) => carryOutStep(deps, mailer, payload),
  sweep_steps: () => sweepSteps(deps),
  revoke_personal_tokens: (payload) => revokePersonalTokens(deps, payload),
  sweep_accounts: () => sweepAccounts(deps),
  sweep_webhooks: () => sweepWebhooks(deps),
  reseal_tokens: () => resealSlackTokens(deps),
  sweep_slack: () => sweepSlack(deps),
  seal_audits: () => sealTrails(deps),
  seal_audit: (payload) => sealOne(deps, payload),
  verify_audit: (payload) => verifyTrail(deps, payload),
});

const askedMailsOf = (deps: Deps, mailer: Mailer): JobHandlers => ({
  send_password_reset: (payload) => sendPasswordReset(deps, mailer, payload),
  send_address_code: (payload) => sendAddressCode(deps, mailer, payload),
  send_invitation: (payload) => sendInvitation(deps, mailer, payload),
});

const toldMailsOf = (deps: Deps, mailer: Mailer): JobHandlers => ({
  mail_notice: (payload) => mailNotice(deps, mailer, payload),
  send_digest: (payload, attempt) => sendDigest(deps, mailer, payload, attempt),
});

const slackHandlersOf = (deps: Deps): JobHandlers => ({
  tell_in_slack: (payload) => tellInSlack(deps, payload),
  refresh_in_slack: (payload) => bringUpToDate(deps, payload),
  act_from_slack: (payload) => actFromSlack(deps, actOnRun, payload),
  revoke_slack_token: (payload) => revokeSlackToken(deps, payload),
});

async function connect(
  { databaseUrl, dataDir }: Config,
  log: Log,
  closing: (() => Promise<void> | void)[],
  onDatabaseLost: ServerOptions['onDatabaseLost'],
): Promise<Connection> {
  if (databaseUrl) return { connectionString: databaseUrl };
  const postgres = await startEmbeddedPostgres({ dataDir, log, ...(onDatabaseLost && { onExit: onDatabaseLost }) });
  closing.push(postgres.stop);
  return postgres.connection;
}
