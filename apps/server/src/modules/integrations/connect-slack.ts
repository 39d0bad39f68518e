import { randomBytes, timingSafeEqual } from 'node:crypto';
import { permissionsOf } from '@stet/domain/access';
import { z } from 'zod';
import { appendAudit } from '../../db/append-audit.ts';
import { leaveJobs } from '../../db/outbox.ts';
import { findActor } from '../../http/authenticate.ts';
import { cookieHeader, cookieOf, redirect } from '../../http/cookies.ts';
import type { Handler } from '../../http/handler.ts';
import { sealTicket, spendTicket } from '../../http/tickets.ts';
import { type SessionActor, by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { hashOfToken } from '../../kernel/derive.ts';
import { Refused } from '../../kernel/refused.ts';
import type { Slack, SlackInstallation } from '../../kernel/slack.ts';
import { holdConnection, saveConnection } from './slack-connections.sql.ts';
import { listWaitingMessages } from './slack.sql.ts';
import { type ToRevoke, revokeJob } from './slack-tokens.job.ts';
import { tellAgainJob } from './tell-in-slack.job.ts';
import { sealToken } from './workspace.ts';

const HERE = '/api/integrations/slack';
const SCREEN = '/app/integrations';
const COOKIE = { name: 'stet_slack', path: HERE };
const TICKET_MS = 60_000;
/** So long someone may think about it at Slack. */
const STATE_MS = 15 * 60_000;

const bearer = z.object({
  orgId: z.uuid(),
  userId: z.uuid(),
  sessionId: z.uuid(),
  /** Digest of the cookie of the browser that asked. */
  browser: z.string(),
});
type Bearer = z.output<typeof bearer>;

/**
 * For which organization and session a browser goes on, once: it sends no token where it navigates. It is a cookie that says
 * that it is the browser which asked, so that nobody is sent through Slack with a ticket of another's.
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

/** Sends the browser that asked for a ticket on to Slack; what comes back from there has to come from it as well. */
export const goToSlack: Handler<'GET /api/integrations/slack/install'> = async (deps, { query, headers }) => {
  if (query.ticket === undefined || !deps.slack) return redirect(SCREEN);
  const ticket = await spendTicket(deps, 'slack ticket', bearer, query.ticket);
  if (!ticket || !isFrom(deps, ticket, headers.cookie)) return redirect(`${SCREEN}?slack=error`);
  const state = sealTicket(deps, 'slack state', ticket, STATE_MS);
  return redirect(deps.slack.consentUrl(state, returnAddress(deps)));
};

/** Takes what Slack sends back, once, from the browser that went there, while its session lives and may still connect. */
export const comeBackFromSlack: Handler<'GET /api/integrations/slack/callback'> = async (deps, { query, headers }) => {
  const { slack, log } = deps;
  const state = slack && query.state !== undefined ? await spendTicket(deps, 'slack state', bearer, query.state) : null;
  const outcome = async (): Promise<'success' | 'error'> => {
    if (!slack || !state || !isFrom(deps, state, headers.cookie) || query.code === undefined) return 'error';
    try {
      return (await connect(deps, slack, state, query.code)) ? 'success' : 'error';
    } catch (error) {
      log.warn({ err: error }, 'Slack could not be connected');
      return 'error';
    }
  };
  return redirect(`${SCREEN}?slack=${await outcome()}`, cookieHeader(deps, COOKIE, '', 0));
};

async function connect(deps: Deps, slack: Slack, bearer: Bearer, code: string): Promise<boolean> {
  const { orgId, userId, sessionId } = bearer;
  const actor = await findActor(deps.db, sessionId, 'org.manage');
  if (actor?.userId !== userId || !mayConnect(actor, orgId)) return false;
  const { token, ...installed } = await slack.install(code, returnAddress(deps));
  const sealedToken = sealToken(deps, orgId, token);
  try {
    await keep(deps, actor, { orgId, sealedToken, ...installed });
  } catch (error) {
    // A right that was lost since is found out at the commit.
    await leaveRevocation(deps, { orgId, sealedToken, teamId: installed.teamId });
    throw error;
  }
  deps.pokeOutbox();
  return true;
}

function mayConnect({ organizations, role: globalRole }: SessionActor, orgId: string): boolean {
  const orgRole = organizations.find(({ id }) => id === orgId)?.role ?? null;
  return orgRole !== null && permissionsOf({ orgRole, globalRole }).includes('org.manage');
}

type Kept = Omit<SlackInstallation, 'token'> & { orgId: string; sealedToken: string };

/** Keeps the connection; the token of the one before it is ended by a job, where it is not the same and nobody needs it. */
const keep = (deps: Deps, actor: SessionActor, { orgId, ...connection }: Kept): Promise<void> =>
  deps.db.transaction({ orgId, userId: actor.userId, asks: 'org.manage' }, async (tx) => {
    const [waiting, before] = await Promise.all([
      tx.many(listWaitingMessages, { orgId }),
      tx.maybeOne(holdConnection, { orgId }),
    ]);
    tx.write(saveConnection, { orgId, ...connection, userId: actor.userId });
    leaveJobs(tx, [
      ...waiting.map(({ job }) => tellAgainJob(job)),
      ...(before ? [revokeJob({ orgId, sealedToken: before.sealed_token, teamId: before.team_id })] : []),
    ]);
    const { teamId, teamName } = connection;
    const subject = { type: 'integration', id: 'slack' } as const;
    appendAudit(tx, [{ ...by(actor), action: 'integration.connected', subject, data: { teamId, teamName } }]);
  });

/** A token that was given and not kept opens a workspace to nobody's knowledge. */
const leaveRevocation = ({ db, pokeOutbox }: Deps, token: ToRevoke): Promise<void> =>
  db
    .transaction({ orgId: token.orgId, userId: null }, async (tx) => leaveJobs(tx, [revokeJob(token)]))
    .then(pokeOutbox);

const returnAddress = ({ publicUrl }: Pick<Deps, 'publicUrl'>): string => `${publicUrl}${HERE}/callback`;

const digestOf = (nonce: string): string => hashOfToken(nonce).toString('base64url');

const isFrom = (deps: Pick<Deps, 'publicUrl'>, { browser }: Bearer, cookie: string | undefined): boolean =>
  sameDigest(browser, digestOf(cookieOf(deps, COOKIE, cookie)));

function sameDigest(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
