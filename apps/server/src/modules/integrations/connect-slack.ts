import { randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { appendAudit } from '../../db/append-audit.ts';
import { leaveJobs } from '../../db/outbox.ts';
import { findActor } from '../../http/authenticate.ts';
import { cookieHeader, cookieOf, redirect } from '../../http/cookies.ts';
import type { Handler } from '../../http/handler.ts';
import { sealTicket, spendTicket } from '../../http/tickets.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { hashOfToken } from '../../kernel/derive.ts';
import { Refused } from '../../kernel/refused.ts';
import type { Slack, SlackInstallation } from '../../kernel/slack.ts';
import { listWaitingMessages, saveConnection } from './slack.sql.ts';
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
  /** Digest of the browser's cookie; empty while there is none yet. */
  browser: z.string(),
});
type Bearer = z.output<typeof bearer>;

/** For which organization and session a browser goes on, once: it sends no token where it navigates. */
export const giveTicket: Handler<'POST /api/integrations/slack/tickets'> = async (deps, { actor }) => {
  if (!deps.slack) throw new Refused({ code: 'not_found', what: 'slack_app' });
  const { orgId, userId, sessionId } = actor;
  const ticket = sealTicket(deps, 'slack ticket', { orgId, userId, sessionId, browser: '' }, TICKET_MS);
  return answer({ url: `${HERE}/install?${new URLSearchParams({ ticket }).toString()}` });
};

/** Sends a browser with a ticket on to Slack; what comes back from there has to come from the same browser. */
export const goToSlack: Handler<'GET /api/integrations/slack/install'> = async (deps, { query }) => {
  if (query.ticket === undefined || !deps.slack) return redirect(SCREEN);
  const ticket = await spendTicket(deps, 'slack ticket', bearer, query.ticket);
  if (!ticket) return redirect(`${SCREEN}?slack=error`);
  const { orgId, userId, sessionId } = ticket;
  const nonce = randomBytes(32).toString('base64url');
  const state = sealTicket(deps, 'slack state', { orgId, userId, sessionId, browser: digestOf(nonce) }, STATE_MS);
  return redirect(
    deps.slack.consentUrl(state, returnAddress(deps)),
    cookieHeader(deps, COOKIE, nonce, STATE_MS / 1000),
  );
};

/** Takes what Slack sends back, once, from the browser that went there, while its session lives and may still connect. */
export const comeBackFromSlack: Handler<'GET /api/integrations/slack/callback'> = async (deps, { query, headers }) => {
  const { slack, log } = deps;
  const state = slack && query.state !== undefined ? await spendTicket(deps, 'slack state', bearer, query.state) : null;
  const isSameBrowser = state !== null && sameDigest(state.browser, digestOf(cookieOf(deps, COOKIE, headers.cookie)));
  const outcome = async (): Promise<'success' | 'error'> => {
    if (!slack || !isSameBrowser || query.code === undefined) return 'error';
    try {
      return (await connect(deps, slack, state, query.code)) ? 'success' : 'error';
    } catch (error) {
      log.warn({ err: error }, 'Slack could not be connected');
      return 'error';
    }
  };
  return redirect(`${SCREEN}?slack=${await outcome()}`, cookieHeader(deps, COOKIE, '', 0));
};

async function connect(deps: Deps, slack: Slack, { orgId, userId, sessionId }: Bearer, code: string): Promise<boolean> {
  const actor = await findActor(deps.db, sessionId, 'org.manage');
  if (actor?.userId !== userId) return false;
  const installed = await slack.install(code, returnAddress(deps));
  // A right that was lost since is found out at the commit.
  await deps.db.transaction({ orgId, userId, asks: 'org.manage' }, async (tx) => {
    const waiting = await tx.many(listWaitingMessages, { orgId });
    saveInstallation(deps, tx, { orgId, userId, installed });
    leaveJobs(
      tx,
      waiting.map(({ job }) => ({ task: 'tell_in_slack', payload: job })),
    );
    const { teamId, teamName } = installed;
    appendAudit(tx, [
      {
        ...by(actor),
        action: 'integration.connected',
        subject: { type: 'integration', id: 'slack' },
        data: { teamId, teamName },
      },
    ]);
  });
  deps.pokeOutbox();
  return true;
}

type Kept = { orgId: string; userId: string; installed: SlackInstallation };

function saveInstallation(
  deps: Pick<Deps, 'vault'>,
  tx: Parameters<typeof leaveJobs>[0],
  { orgId, userId, installed: { teamId, teamName, token } }: Kept,
): void {
  tx.write(saveConnection, { orgId, teamId, teamName, sealedToken: sealToken(deps, orgId, token), userId });
}

const returnAddress = ({ publicUrl }: Pick<Deps, 'publicUrl'>): string => `${publicUrl}${HERE}/callback`;

const digestOf = (nonce: string): string => hashOfToken(nonce).toString('base64url');

function sameDigest(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
