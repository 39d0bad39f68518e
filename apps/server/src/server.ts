import { watchDataDirectory } from './adapters/data-directory.ts';
import { openIdentityProvider } from './adapters/identity-provider.ts';
import { deleteOldMail, openMailer } from './adapters/mail.ts';
import { openSlack } from './adapters/slack.ts';
import { openPreviews } from './adapters/previews/previews.ts';
import { openSandbox } from './adapters/sandbox/sandbox.ts';
import { openWebhookPost } from './adapters/webhooks/webhook-post.ts';
import { handlers } from './app.ts';
import { startEmbeddedPostgres } from './db/embedded/start-embedded-postgres.ts';
import { canonicalizeAddresses } from './db/canonical-addresses.ts';
import { readJobGauges } from './db/job-gauges.ts';
import { type JobHandlers, type JobLane, type JobQueue, openJobQueue } from './db/job-queue.ts';
import { openLiveChannel } from './db/live-channel.ts';
import { migrate } from './db/migrate.ts';
import { MIGRATIONS_DIRECTORY } from './db/migration-files.ts';
import { type Connection, openPool, ownerClient } from './db/pool.ts';
import { adminMigrations, ensureServerRole, isSuperuser } from './db/roles.ts';
import { watchPool } from './db/watch-pool.ts';
import { refusalOf } from './db/refusal-of.ts';
import { openDatabase } from './db/transaction.ts';
import { type Readiness, buildApp } from './http/app.ts';
import { findActor } from './http/authenticate.ts';
import { openLive } from './http/events/live.ts';
import { openFront } from './http/front-server.ts';
import { answerToSave, findSavedAnswer } from './http/idempotency.ts';
import { recheckPermissions } from './http/recheck-permissions.ts';
import { assertKeys } from './modules/audit/assert-keys.ts';
import { openAuditMac } from './modules/audit/audit-mac.ts';
import { openAuditSigner } from './modules/audit/audit-signer.ts';
import type { Config } from './kernel/config.ts';
import type { Database } from './kernel/database.ts';
import type { Administration, Deps, Passwords } from './kernel/deps.ts';
import type { QueryGauges } from './kernel/gauges.ts';
import type { Change } from './kernel/live.ts';
import type { Log } from './kernel/log.ts';
import type { Mailer } from './kernel/mail.ts';
import { openDerive } from './kernel/derive.ts';
import { openPasswords } from './modules/accounts/passwords.ts';
import { openPlaces } from './adapters/places.ts';
import { regularly } from './kernel/regularly.ts';
import { secretKey } from './kernel/key-files.ts';
import { readLastBackup } from './kernel/last-backup.ts';
import { openTokens } from './http/tokens.ts';
import { openVault } from './kernel/vault.ts';
import { recordFailedSignIns } from './modules/accounts/failed-sign-ins.ts';
import { sendAddressCode } from './modules/accounts/prove-address.ts';
import { sendAddressReleased, sendEmailChanged } from './modules/accounts/email-change.mail.ts';
import { sendPasswordReset } from './modules/accounts/send-password-reset.job.ts';
import { remindOfUnlimitedTokens } from './modules/api-tokens/remind-of-unlimited-tokens.job.ts';
import { revokePersonalTokens } from './modules/api-tokens/revoke-personal-tokens.job.ts';
import { saveMacBoundary } from './modules/audit/mac-boundary.ts';
import { noteRestore } from './modules/audit/note-restore.ts';
import { openSealSoon } from './modules/audit/seal-soon.ts';
import { sealOne, sealTrails } from './modules/audit/seal-trails.job.ts';
import { readTrailGauges } from './modules/audit/trail-gauges.ts';
import { verifyAllTrails, verifyTrail } from './modules/audit/verify-trail.job.ts';
import { remindOfEmergencies } from './modules/confirmations/remind-of-emergencies.job.ts';
import { updateRequirements } from './modules/drafts/index.ts';
import { endOrganizations } from './modules/housekeeping/end-organizations.job.ts';
import { doHousekeeping } from './modules/housekeeping/housekeeping.job.ts';
import { followTrails } from './modules/insights/follow-trail.ts';
import { resealSlackTokens, revokeSlackToken } from './modules/integrations/slack-tokens.job.ts';
import { sendInvitation } from './modules/invitations/send-invitation.job.ts';
import { actFromSlack } from './modules/notifications/act-from-slack.job.ts';
import { deliverMail } from './modules/notifications/deliver-mail.job.ts';
import { deliverToSlack } from './modules/notifications/deliver-slack.job.ts';
import { makeDigests } from './modules/notifications/make-digests.job.ts';
import { notifyAssignee } from './modules/notifications/notify-assignee.job.ts';
import { react } from './modules/notifications/reactions.ts';
import { sendDigest } from './modules/notifications/send-digest.job.ts';
import { sendTokenReminder } from './modules/notifications/send-token-reminder.job.ts';
import { sweepSlack } from './modules/notifications/sweep-slack.job.ts';
import { updateInSlack } from './modules/notifications/update-slack.job.ts';
import { watchClocks } from './modules/runs/watch-clocks.ts';
import { executeStep } from './modules/runs/execution/execute-step.job.ts';
import { STEP_LANES, WAITING_TASK } from './modules/runs/execution/lanes.ts';
import { deliverWebhook, sweepWebhooks } from './modules/webhooks/deliver-webhook.job.ts';
import { feedWebhooks } from './modules/webhooks/feed-webhooks.ts';
import { version } from './version.ts';
import { makePreview } from './modules/runs/evidence/make-preview.job.ts';
import { sweepUploads } from './modules/runs/evidence/sweep-uploads.job.ts';
import { sweepSteps } from './modules/runs/execution/sweep-steps.job.ts';

// How often every node checks the clocks, in milliseconds. Notifications of crossings can be late by about this time.
const WATCH_MS = 5000;
// An organization gets at most one slot, so at least one slot remains for the others.
const PDF_QUEUE = { size: 2, waiting: 5, waitingInAll: 40 };
// Clients send few chunks of a file at once, and wait for the responses. A slow client occupies its slot until its
// chunk has arrived, so an organization gets only a quarter of the slots.
const BYTE_QUEUE = { size: 16, each: 4, waiting: 500, waitingInAll: 5000 };
// The digest of a file of 25 MB takes less than a second.
const DIGEST_QUEUE = { size: 2, waiting: 500, waitingInAll: 5000 };
// How often events are queued for webhooks, in milliseconds.
const FEED_MS = 1000;
// How often new events are counted for insights, in milliseconds. Each count of an organization takes several ms of CPU
// time, however few events are new, and browsers show figures for 30 seconds before they load them again.
const COUNT_MS = 5000;
// How often every node deletes old mail files, in milliseconds.
const OLD_MAIL_MS = 3_600_000;
// Governance events are sealed within twice this time, in milliseconds, unless sealing itself takes longer.
const SEAL_MS = 500;

export type Server = { url: string; deps: Deps; stop: () => Promise<void> };

type ServerOptions = {
  config: Config;
  log: Log;
  /** Directory of the built web app. If it is null, only the API is served. */
  webRoot: string | null;
  /** Called if PostgreSQL has exited and can't be restarted. The process should then end. */
  onDatabaseLost?: (problem: Error) => void;
  /** How often governance events are sealed, in milliseconds; `SEAL_MS` by default. */
  sealEveryMs?: number;
  /** In tests, passwords that are cheap to hash. */
  passwords?: Passwords;
  /**
   * A migrated database for a server that only answers requests and seals its audit trails: it executes no jobs and
   * checks no clocks.
   */
  migratedDatabase?: Connection;
};

/**
 * Starts everything in order. HTTP comes first, so that health checks get a response while PostgreSQL starts and
 * migrates. Parts are closed in reverse order, even if a later part fails to start. Before that, running requests can
 * finish within a time limit.
 */
export async function startServer({
  config,
  log,
  webRoot,
  onDatabaseLost,
  sealEveryMs = SEAL_MS,
  passwords,
  migratedDatabase,
}: ServerOptions): Promise<Server> {
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
    log.info(version, 'Stet is starting');
    const front = await openFront(config);
    closeFront = front.close;
    const url = config.publicUrl ?? front.url;
    const connection = migratedDatabase ?? (await connect(config, log, closing, onDatabaseLost));
    const served = migratedDatabase ?? (await migrated(config, connection, log));

    const onError = (error: Error): void => {
      if (readiness.state !== 'stopping') log.warn({ err: error }, 'a database connection was lost');
    };
    const pool = openPool(served, { size: config.poolSize, onError });
    const watched = watchPool(pool, served, log);
    if (!migratedDatabase) await checkKeys(config, connection, log);
    const auditSigner = openAuditSigner(config.dataDir);
    const auditMac = openAuditMac(config.dataDir, auditSigner);
    const dataDirectory = watchDataDirectory(config, log);
    closing.push(dataDirectory.stop);
    // Null until the queue is open. Its first handlers may already run while it is being opened.
    let jobs: JobQueue | null = null;
    const pokeOutbox = (): void => jobs?.poke();
    const onCommitted = (orgId: string, changes: readonly Change[]): void => {
      events.live.announce(orgId, changes);
      sealSoon.onCommitted(orgId, changes);
    };
    const db = openDatabase(watched, refusalOf, {
      onJobs: pokeOutbox,
      onCommitted,
      macOf: auditMac.macOf,
      follow: (tx, orgId, events) => react(tx, orgId, events, { hasSlack: config.slack !== null }),
      rules: { recheckPermissions, findAnswer: findSavedAnswer, answerToSave },
      changesAtOnce: Math.ceil(config.poolSize / 2),
    });
    closing.push(db.close, watched.stopWatching);
    const events = openLive({
      send: (message) => channel.send(message),
      stillThere: async ({ sessionId, orgId }) => (await findActor(db, sessionId))?.orgId === orgId,
    });
    const channel = openLiveChannel({ connection: served, log, onMessage: events.receive, onGap: events.missed });
    closing.push(channel.stop, events.stop);
    endStreams = events.live.endStreams;
    const mailer = openMailer(config, log);
    closing.push(mailer.close);

    const sandbox = openSandbox({
      onStaysRoot: () =>
        log.warn("scripts run as root: this process isn't allowed to change to another user (CAP_SETUID)"),
    });
    const previews = openPreviews({
      onStaysRoot: () =>
        log.warn("images are decoded as root: this process isn't allowed to change to another user (CAP_SETUID)"),
    });
    const openAdministration = (appDb: Database): Administration => {
      const ownerPool = openPool(connection, { size: 2, onError, asOwner: true });
      const ownerDb = openDatabase(ownerPool, refusalOf, {
        onCommitted,
        onJobs: pokeOutbox,
        macOf: auditMac.macOf,
        follow: (tx, orgId, events) => react(tx, orgId, events, { hasSlack: config.slack !== null }),
      });
      closing.push(ownerDb.close);
      return {
        query: async <Row extends object>(text: string, values?: unknown[]) =>
          (await ownerPool.query<Row>(text, values)).rows,
        ownerDb,
        db: appDb,
      };
    };
    const secret = secretKey(config.secretKey, config.dataDir);
    const deps: Deps = {
      version,
      config,
      log,
      db,
      databaseAnswers: watched.answers,
      dataDirectoryProblem: dataDirectory.problem,
      isDiskFull: dataDirectory.isDiskFull,
      tokens: openTokens(secret),
      derive: openDerive(secret),
      derivedBefore: config.previousSecretKeys.map(openDerive),
      vault: openVault(secret, config.previousSecretKeys),
      slack: config.slack && openSlack(config.slack),
      identityProvider: config.oidc && openIdentityProvider(config.oidc),
      auditSigner,
      auditMac,
      passwords: passwords ?? (await openPasswords()),
      openPdf: async (options) => (await import('./adapters/pdf.ts')).openPdf(options),
      pdfQueue: openPlaces(PDF_QUEUE),
      byteQueue: openPlaces(BYTE_QUEUE),
      digestQueue: openPlaces(DIGEST_QUEUE),
      sandbox,
      previews,
      live: events.live,
      webhookPost: openWebhookPost(config.webhookAllow),
      publicUrl: url,
      pokeOutbox,
      administration: config.admins.length === 0 ? null : openAdministration(db),
      gauges: async () => ({
        hasDataDirectory: dataDirectory.problem() === null,
        lastBackup: readLastBackup(config.dataDir),
        pool: {
          busy: pool.totalCount - pool.idleCount,
          idle: pool.idleCount,
          waiting: pool.waitingCount,
        },
        database: jobs && (await databaseGauges(jobs.queryGauges).catch(() => null)),
      }),
    };
    const sealSoon = openSealSoon(deps, sealEveryMs);
    closing.push(sealSoon.stop);
    await saveMacBoundary(deps);
    await noteRestore(deps);
    if (!migratedDatabase) {
      jobs = await openJobQueue(connection, { lanes: lanesOf(deps, mailer), crontab: CRONTAB }, log);
      closing.push(jobs.stop);
      closing.push(regularly(WATCH_MS, () => watchClocks(deps), log).stop);
      closing.push(regularly(OLD_MAIL_MS, () => deleteOldMail(config), log).stop);
      closing.push(regularly(FEED_MS, () => feedWebhooks(deps), log).stop);
      closing.push(regularly(COUNT_MS, () => followTrails(deps), log).stop);
    }
    // The sandbox and the previews are closed before the jobs, because a job that waits for a script or a preview would
    // delay the end of the jobs.
    closing.push(sandbox.close, previews.close);

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

const databaseGauges = async (query: QueryGauges) => ({
  ...(await readJobGauges(query)),
  ...(await readTrailGauges(query)),
});

/**
 * Scripts, and the servers that receive messages, may be slow. So each kind of work has a separate lane. In lanes with
 * `turns`, organizations take turns.
 */
function lanesOf(deps: Deps, mailer: Mailer): JobLane[] {
  const execute = (payload: unknown): Promise<void> => executeStep(deps, mailer, payload);
  const deliver = (payload: Record<string, unknown>): Promise<void> => deliverWebhook(deps, deps.webhookPost, payload);
  const { scriptsAtOnce } = deps.sandbox;
  return [
    { handlers: handlersOf(deps, mailer), atOnce: 4 },
    // Mail servers may be slow, and an email for which a person is waiting must not be queued behind thousands of
    // notifications.
    { handlers: askedMailsOf(deps, mailer), atOnce: 2, isPatient: true },
    // There are twice as many turns as parallel emails, so that the next email is always ready, even with a single
    // organization.
    { handlers: notificationMailsOf(deps, mailer), atOnce: 4, turns: 8, isPatient: true },
    // Slack may respond slowly, or not at all.
    { handlers: slackHandlersOf(deps), atOnce: 4 },
    ...Object.values(STEP_LANES).map(({ task, atOnce, turns }) => ({
      handlers: { [task]: execute },
      atOnce: atOnce(scriptsAtOnce),
      turns: turns(scriptsAtOnce),
    })),
    { handlers: { deliver_webhook: deliver }, atOnce: 4, turns: 2 },
    // Decoding an image takes up to half a gigabyte of memory.
    { handlers: { make_preview: (payload) => makePreview(deps, payload) }, atOnce: 1, turns: 1 },
  ];
}

// Each entry is executed on one node. If an execution is due while no node is running, it is skipped.
const CRONTAB = [
  '17 * * * * housekeeping',
  '*/10 * * * * end_organizations ?queue=end_organizations',
  '*/10 * * * * reseal_tokens',
  '*/5 * * * * sweep_slack',
  '* * * * * seal_audits',
  '13 2 * * * verify_audits',
  '* * * * * sweep_steps',
  '* * * * * sweep_webhooks',
  '* * * * * make_digests',
  '23 * * * * remind_of_emergencies',
  '2 * * * * record_failed_sign_ins',
  '41 * * * * remind_of_endless_tokens',
  '29 * * * * sweep_uploads',
].join('\n');

const handlersOf = (deps: Deps, mailer: Mailer): JobHandlers => ({
  notify_assignee: (payload) => notifyAssignee(deps, payload),
  make_digests: () => makeDigests(deps),
  remind_of_emergencies: () => remindOfEmergencies(deps),
  record_failed_sign_ins: () => recordFailedSignIns(deps),
  remind_of_endless_tokens: () => remindOfUnlimitedTokens(deps),
  [WAITING_TASK]: (payload) => executeStep(deps, mailer, payload),
  sweep_steps: () => sweepSteps(deps),
  revoke_personal_tokens: (payload) => revokePersonalTokens(deps, payload),
  housekeeping: () => doHousekeeping(deps),
  end_organizations: () => endOrganizations(deps),
  // Executes jobs that earlier versions enqueued under this name.
  sweep_accounts: () => doHousekeeping(deps),
  sweep_uploads: () => sweepUploads(deps),
  sweep_webhooks: () => sweepWebhooks(deps),
  reseal_tokens: () => resealSlackTokens(deps),
  sweep_slack: () => sweepSlack(deps),
  seal_audits: () => sealTrails(deps),
  seal_audit: (payload) => sealOne(deps, payload),
  update_requirements: (payload) => updateRequirements(deps, payload),
  verify_audit: (payload) => verifyTrail(deps, payload),
  verify_audits: (payload) => verifyAllTrails(deps, payload),
});

const askedMailsOf = (deps: Deps, mailer: Mailer): JobHandlers => ({
  send_password_reset: (payload) => sendPasswordReset(deps, mailer, payload),
  send_email_changed: (payload) => sendEmailChanged(mailer, deps.publicUrl, payload),
  send_address_released: (payload) => sendAddressReleased(mailer, deps.publicUrl, payload),
  send_address_code: (payload) => sendAddressCode(deps, mailer, payload),
  send_invitation: (payload) => sendInvitation(deps, mailer, payload),
});

const notificationMailsOf = (deps: Deps, mailer: Mailer): JobHandlers => ({
  send_token_reminder: (payload) => sendTokenReminder(deps, mailer, payload),
  mail_notice: (payload) => deliverMail(deps, mailer, payload),
  send_digest: (payload, attempt) => sendDigest(deps, mailer, payload, attempt),
});

const slackHandlersOf = (deps: Deps): JobHandlers => ({
  tell_in_slack: (payload) => deliverToSlack(deps, payload),
  refresh_in_slack: (payload) => updateInSlack(deps, payload),
  act_from_slack: (payload) => actFromSlack(deps, payload),
  revoke_slack_token: (payload) => revokeSlackToken(deps, payload),
});

/**
 * Migrates the database, with the user of `DATABASE_ADMIN_URL` if it is set. Returns the connection for requests. If
 * PostgreSQL is embedded, this is the connection of a role with fewer rights; otherwise it is `connection`.
 */
async function migrated(config: Config, connection: Connection, log: Log): Promise<Connection> {
  const { databaseUrl, databaseAdminUrl } = config;
  const admin = databaseUrl && databaseAdminUrl ? await adminMigrations(databaseAdminUrl, databaseUrl) : null;
  try {
    await migrate({ connect: admin?.connect ?? (() => ownerClient(connection)), directory: MIGRATIONS_DIRECTORY, log });
  } finally {
    await admin?.done();
  }
  await canonicalizeAddresses({ connect: () => ownerClient(connection), log });
  if (!('connectionString' in connection)) return ensureServerRole(connection);
  if (await isSuperuser(connection))
    log.warn('the user in DATABASE_URL is a superuser, so no database permission limits it; use a different user');
  return connection;
}

async function checkKeys(config: Config, connection: Connection, log: Log): Promise<void> {
  const owner = ownerClient(connection);
  await owner.connect();
  try {
    await assertKeys(owner, config, log);
  } finally {
    await owner.end();
  }
}

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
