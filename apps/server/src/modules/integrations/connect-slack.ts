import { randomBytes, timingSafeEqual } from 'node:crypto';
import { permissionsOf } from '@stet/domain/access';
import { z } from 'zod';
import { enqueueJobs } from '../../db/outbox.ts';
import { findActor } from '../../http/authenticate.ts';
import { cookieHeader, cookieOf, redirect } from '../../http/cookies.ts';
import type { Handler } from '../../http/handler.ts';
import { sealTicket, spendTicket } from '../../http/tickets.ts';
import { type SessionActor, auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { hashOfToken } from '../../kernel/derive.ts';
import { Refused } from '../../kernel/refused.ts';
import type { Slack, SlackInstallation } from '../../kernel/slack.ts';
import { organizationsOf } from '../accounts/index.ts';
import { appendAudit } from '../audit/index.ts';
import { lockConnection, saveConnection } from './slack-connections.sql.ts';
import { type ToRevoke, revokeJob } from './slack-tokens.job.ts';
import { sealToken } from './workspace.ts';

const HERE = '/api/integrations/slack';
const SCREEN = '/app/integrations';
const COOKIE = { name: 'stet_slack', path: HERE };
const TICKET_MS = 60_000;
/** The maximum time that a person may spend at Slack. */
const STATE_MS = 15 * 60_000;

const ticketContent = z.object({
  orgId: z.uuid(),
  userId: z.uuid(),
  sessionId: z.uuid(),
  /** The digest of the cookie in the browser that requested the connection. */
  browser: z.string(),
});
type TicketContent = z.output<typeof ticketContent>;

/**
 * Issues a one-time ticket that contains the organization and the session, because a browser sends no token when it
 * navigates. A cookie binds the ticket to the browser that requested it, so that nobody can make another person connect
 * Slack with it.
 */
export const giveTicket: Handler<'POST /api/integrations/slack/tickets'> = async (deps, { actor }) => {
  if (!deps.slack) throw new Refused({ code: 'not_found', what: 'slack_app' });
  const { orgId, userId, sessionId } = actor;
  const nonce = randomBytes(32).toString('base64url');
  const ticket = sealTicket(deps, 'slack ticket', { orgId, userId, sessionId, browser: digestOf(nonce) }, TICKET_MS);
  return answer(
    { url: `${HERE}/install?${new URLSearchParams({ ticket }).toString()}` },
    { 'set-cookie': cookieHeader(deps, COOKIE, nonce, (TICKET_MS + STATE_MS) / 1000) },
  );
};

/**
 * Redirects the browser to Slack if it is the one that requested the ticket, otherwise back to the integrations page
 * with an error. Slack's response has to come through the same browser.
 */
export const goToSlack: Handler<'GET /api/integrations/slack/install'> = async (deps, { query, headers }) => {
  const { slack } = deps;
  const ticket =
    slack && query.ticket !== undefined ? await spendTicket(deps, 'slack ticket', ticketContent, query.ticket) : null;
  if (!slack || !ticket || !isFrom(deps, ticket, headers.cookie)) return redirect(`${SCREEN}?slack=error`);
  const state = sealTicket(deps, 'slack state', ticket, STATE_MS);
  return redirect(slack.consentUrl(state, returnAddress(deps)));
};

/**
 * Accepts Slack's response once, and only from the browser that was sent to Slack. The browser's session must still be
 * open and have the permission.
 */
export const comeBackFromSlack: Handler<'GET /api/integrations/slack/callback'> = async (deps, { query, headers }) => {
  const { slack, log } = deps;
  const state =
    slack && query.state !== undefined ? await spendTicket(deps, 'slack state', ticketContent, query.state) : null;
  const outcome = async (): Promise<'success' | 'error'> => {
    if (!slack || !state || !isFrom(deps, state, headers.cookie) || query.code === undefined) return 'error';
    try {
      return (await connect(deps, slack, state, query.code)) ? 'success' : 'error';
    } catch (error) {
      log.warn({ err: error }, 'could not connect Slack');
      return 'error';
    }
  };
  return redirect(`${SCREEN}?slack=${await outcome()}`, cookieHeader(deps, COOKIE, '', 0));
};

async function connect(deps: Deps, slack: Slack, ticket: TicketContent, code: string): Promise<boolean> {
  const { orgId, userId, sessionId } = ticket;
  const actor = await findActor(deps.db, sessionId, 'org.manage');
  if (actor?.userId !== userId || !(await canConnect(deps, actor, orgId))) return false;
  const { token, ...installed } = await slack.install(code, returnAddress(deps));
  const sealedToken = sealToken(deps, orgId, token);
  try {
    await saveInstallation(deps, actor, { orgId, sealedToken, ...installed });
  } catch (error) {
    // Saving can be refused, because permissions are rechecked at commit. In this case, the issued token is revoked.
    await enqueueRevocation(deps, { orgId, sealedToken, teamId: installed.teamId });
    throw error;
  }
  deps.pokeOutbox();
  return true;
}

async function canConnect({ db }: Deps, actor: SessionActor, orgId: string): Promise<boolean> {
  const { role: globalRole } = actor;
  const orgRole = (await organizationsOf(db, actor)).find(({ id }) => id === orgId)?.role ?? null;
  return orgRole !== null && permissionsOf({ orgRole, globalRole }).includes('org.manage');
}

type SavedInstallation = Omit<SlackInstallation, 'token'> & { orgId: string; sealedToken: string };

/** Saves the connection. A job revokes the previous token if it is different and isn't used elsewhere. */
const saveInstallation = (
  deps: Deps,
  actor: SessionActor,
  { orgId, ...connection }: SavedInstallation,
): Promise<void> =>
  deps.db.transaction({ orgId, userId: actor.userId, asks: 'org.manage' }, async (tx) => {
    const before = await tx.maybeOne(lockConnection, { orgId });
    tx.write(saveConnection, { orgId, ...connection, userId: actor.userId });
    if (before) enqueueJobs(tx, [revokeJob({ orgId, sealedToken: before.sealed_token, teamId: before.team_id })]);
    const { teamId, teamName } = connection;
    const subject = { type: 'integration', id: 'slack' } as const;
    appendAudit(tx, [{ ...auditActor(actor), action: 'integration.connected', subject, data: { teamId, teamName } }]);
  });

/**
 * Enqueues a job that revokes a token that Slack issued but that wasn't saved. Otherwise the token would still give
 * access to a workspace, and nobody would know about it.
 */
const enqueueRevocation = ({ db, pokeOutbox }: Deps, token: ToRevoke): Promise<void> =>
  db
    .transaction({ orgId: token.orgId, userId: null }, async (tx) => enqueueJobs(tx, [revokeJob(token)]))
    .then(pokeOutbox);

const returnAddress = ({ publicUrl }: Pick<Deps, 'publicUrl'>): string => `${publicUrl}${HERE}/callback`;

const digestOf = (nonce: string): string => hashOfToken(nonce).toString('base64url');

const isFrom = (deps: Pick<Deps, 'publicUrl'>, { browser }: TicketContent, cookie: string | undefined): boolean =>
  sameDigest(browser, digestOf(cookieOf(deps, COOKIE, cookie)));

function sameDigest(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
