import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import type { SlackApp } from '../kernel/config.ts';
import { type Slack, type SlackCall, type SlackChannel, SlackProblem, type SlackWorkspace } from '../kernel/slack.ts';
import { problemOf } from './slack-problem.ts';

/** They allow sending messages to people and channels, listing channels, and finding people by email address. */
const SCOPES = ['chat:write', 'chat:write.public', 'channels:read', 'users:read', 'users:read.email'];
const PATIENCE_MS = 10_000;
const OLDEST_CALL_SECONDS = 300;
const CHANNEL_PAGES = 10;

/**
 * The Slack app. It uses Slack's own client, which is loaded on first use, because most installations don't use Slack.
 */
export function openSlack({ clientId, clientSecret, signingSecret, apiUrl }: SlackApp): Slack {
  const clientOf = async (token?: string): Promise<WebClient> => {
    const { LogLevel, WebClient } = await import('@slack/web-api');
    return new WebClient(token, {
      slackApiUrl: apiUrl,
      timeout: PATIENCE_MS,
      // The client doesn't retry, because the job queue does, even across restarts.
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logLevel: LogLevel.ERROR,
      logger: silent,
    });
  };
  return {
    consentUrl: (state, returnTo) => {
      const url = new URL('../oauth/v2/authorize', apiUrl);
      const query = { client_id: clientId, scope: SCOPES.join(','), state, redirect_uri: returnTo };
      url.search = new URLSearchParams(query).toString();
      return url.href;
    },
    install: (code, returnTo) =>
      asked(async () => {
        const client = await clientOf();
        const received = await client.oauth.v2.access({
          client_id: clientId,
          client_secret: clientSecret,
          code,
          redirect_uri: returnTo,
        });
        const { access_token: token, team } = received;
        if (!token || !team?.id) throw new SlackProblem({ kind: 'refused', code: 'no_token' });
        return { token, teamId: team.id, teamName: team.name ?? team.id };
      }),
    workspace: (token) => workspaceOf(() => clientOf(token)),
    receivesActions: signingSecret !== undefined,
    isGenuine: (call, nowMs) => signingSecret !== undefined && isGenuine(signingSecret, call, nowMs),
  };
}

function workspaceOf(open: () => Promise<WebClient>): SlackWorkspace {
  let client: Promise<WebClient> | null = null;
  const ask = <T>(work: (client: WebClient) => Promise<T>): Promise<T> =>
    asked(async () => work(await (client ??= open())));
  return {
    userIdOf: (email) =>
      orNull('users_not_found', () =>
        ask(async (slack) => (await slack.users.lookupByEmail({ email })).user?.id ?? null),
      ),
    emailOf: (userId, teamId) =>
      orNull('user_not_found', () =>
        ask(async (slack) => {
          const { user } = await slack.users.info({ user: userId });
          // People from other workspaces can be in a shared channel. The admins there control their email addresses.
          const isMember = user?.team_id === teamId && !user.deleted && !user.is_bot && !user.is_stranger;
          return isMember && user.is_email_confirmed !== false ? (user.profile?.email ?? null) : null;
        }),
      ),
    channels: () =>
      ask(async (slack) => {
        const found: SlackChannel[] = [];
        for (let page = 0, cursor = ''; page < CHANNEL_PAGES; page += 1) {
          const { channels = [], response_metadata: more } = await slack.conversations.list({
            types: 'public_channel',
            exclude_archived: true,
            limit: 200,
            ...(cursor !== '' && { cursor }),
          });
          found.push(...channels.flatMap(({ id, name }) => (id && name ? [{ id, name }] : [])));
          cursor = more?.next_cursor ?? '';
          if (cursor === '') break;
        }
        return found.toSorted((one, other) => one.name.localeCompare(other.name));
      }),
    channel: (id) =>
      orNull('channel_not_found', () =>
        ask(async (slack) => {
          const { channel } = await slack.conversations.info({ channel: id });
          return channel?.id && channel.name && !channel.is_archived ? { id: channel.id, name: channel.name } : null;
        }),
      ),
    post: (to, { text, blocks }) =>
      ask(async (slack) => {
        const posted = await slack.chat.postMessage({
          channel: to,
          text,
          blocks: blocks as never,
          unfurl_links: false,
        });
        return { channel: posted.channel ?? to, ts: posted.ts ?? '' };
      }),
    replace: ({ channel, ts }, { text, blocks }) =>
      ask(async (slack) => void (await slack.chat.update({ channel, ts, text, blocks: blocks as never }))),
    whisper: ({ channel, userId }, text) =>
      ask(async (slack) => void (await slack.chat.postEphemeral({ channel, user: userId, text }))),
    revoke: () => ask(async (slack) => void (await slack.auth.revoke())),
  };
}

/** Converts errors of Slack's client to our own. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw problemOf(error);
  }
}

async function orNull<T>(code: string, work: () => Promise<T | null>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SlackProblem && error.failure.kind === 'refused' && error.failure.code === code) return null;
    throw error;
  }
}

/** Checks Slack's signature, version 0: HMAC-SHA256 of version, timestamp and body. */
function isGenuine(secret: string, { signature = '', timestamp = '', body }: SlackCall, nowMs: number): boolean {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(nowMs / 1000 - seconds) <= OLDEST_CALL_SECONDS)) return false;
  const expected = Buffer.from(`v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`);
  const received = Buffer.from(signature);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

const nothing = (): void => undefined;
/** Disables the client's own log, which would contain the messages. Errors are thrown instead. */
const silent = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => 'error' as never,
  setName: nothing,
};
