import { randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { appendAudit } from '../../db/append-audit.ts';
import { leaveJobs } from '../../db/outbox.ts';
import { findActor } from '../../http/authenticate.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { type Answer, answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { hashOfToken } from '../../kernel/derive.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import type { Slack, SlackInstallation } from '../../kernel/slack.ts';
import { Unreadable } from '../../kernel/vault.ts';
import { listWaitingMessages, saveConnection, useTicket } from './slack.sql.ts';
import { sealToken } from './workspace.ts';

const HERE = '/api/integrations/slack';
const SCREEN = '/app/integrations';
const COOKIE = 'stet_slack';
const TICKET_MS = 60_000;
/** So long someone may think about it at Slack. */
const STATE_MS = 15 * 60_000;

const bearer = z.object({
  id: z.uuid(),
  orgId: z.uuid(),
  userId: z.uuid(),
  sessionId: z.uuid(),
  until: z.number(),
  /** Digest of the browser's cookie; empty while there is none yet. */
  browser: z.string(),
});
type Bearer = z.output<typeof bearer>;

/** For which organization and session a browser goes on, once: it sends no token where it navigates. */
export const giveTicket: Handler<'POST /api/integrations/slack/tickets'> = async (deps, { actor }) => {
  if (!deps.slack) throw new Refused({ code: 'not_found', what: 'slack_app' });
  const { orgId, userId, sessionId } = actor;
  const ticket = sealed(deps, 'ticket', { orgId, userId, sessionId, browser: '' }, TICKET_MS);
  return answer({ url: `${HERE}/install?${new URLSearchParams({ ticket }).toString()}` });
};

/** Sends a browser with a ticket on to Slack; what comes back from there has to come from the same browser. */
export const goToSlack: Handler<'GET /api/integrations/slack/install'> = async (deps, { query }) => {
  if (query.ticket === undefined || !deps.slack) return redirect(SCREEN);
  const ticket = await used(deps, 'ticket', query.ticket);
  if (!ticket) return redirect(`${SCREEN}?slack=error`);
  const { orgId, userId, sessionId } = ticket;
  const nonce = randomBytes(32).toString('base64url');
  const state = sealed(deps, 'state', { orgId, userId, sessionId, browser: digestOf(nonce) }, STATE_MS);
  return redirect(deps.slack.consentUrl(state, returnAddress(deps)), cookie(deps, nonce, STATE_MS / 1000));
};

/** Takes what Slack sends back, once, from the browser that went there, while its session lives and may still connect. */
export const comeBackFromSlack: Handler<'GET /api/integrations/slack/callback'> = async (deps, { query, headers }) => {
  const { slack, log } = deps;
  const state = slack && query.state !== undefined ? await used(deps, 'state', query.state) : null;
  const isSameBrowser = state !== null && sameDigest(state.browser, digestOf(cookieOf(headers.cookie)));
  const outcome = async (): Promise<'success' | 'error'> => {
    if (!slack || !isSameBrowser || query.code === undefined) return 'error';
    try {
      return (await connect(deps, slack, state, query.code)) ? 'success' : 'error';
    } catch (error) {
      log.warn({ err: error }, 'Slack could not be connected');
      return 'error';
    }
  };
  return redirect(`${SCREEN}?slack=${await outcome()}`, cookie(deps, '', 0));
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

const purposeOf = (kind: 'ticket' | 'state'): string => `slack ${kind}`;

function sealed(
  { vault }: Pick<Deps, 'vault'>,
  kind: 'ticket' | 'state',
  of: Omit<Bearer, 'id' | 'until'>,
  lifetimeMs: number,
): string {
  const whole: Bearer = { ...of, id: newId(), until: Date.now() + lifetimeMs };
  return vault.seal(purposeOf(kind), '', JSON.stringify(whole));
}

/** What a ticket or a state says, the first time that it is shown; null for any other, and when its time is over. */
async function used(
  { vault, db }: Pick<Deps, 'vault' | 'db'>,
  kind: 'ticket' | 'state',
  text: string,
): Promise<Bearer | null> {
  try {
    const said = bearer.parse(JSON.parse(vault.open(purposeOf(kind), '', text)));
    if (said.until < Date.now()) return null;
    const [first] = await db.query(useTicket, { id: said.id, expiresAt: new Date(said.until) });
    return first ? said : null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

const digestOf = (nonce: string): string => hashOfToken(nonce).toString('base64url');

function sameDigest(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function cookie({ publicUrl }: Pick<Deps, 'publicUrl'>, nonce: string, seconds: number): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  // Lax: it has to come along when Slack sends the browser back.
  return `${COOKIE}=${nonce}; Path=${HERE}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

function cookieOf(header = ''): string {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? '';
}

const redirect = (location: string, setCookie?: string): Answer<Buffer> =>
  answer(Buffer.alloc(0), { location, ...(setCookie !== undefined && { 'set-cookie': setCookie }) });
