import { randomBytes } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Press, SIGNING_SECRET, payloadOf, sendSigned } from './slack-calls.ts';
import { type Block, type SlackPosted, problemOf } from './slack-blocks.ts';

type Member = { id: string; email: string; isStranger?: boolean; isConfirmed?: boolean };
type Failure = {
  status?: number;
  headers?: Record<string, string>;
  body?: object;
  disconnect?: boolean;
  afterwards?: boolean;
};
type Asked = { method: string; values: Record<string, string> };

/** A fake of Slack's API, with a workspace. */
export type FakeSlack = {
  /** The environment that connects a server to it. */
  environment: Record<string, string>;
  team: { id: string; name: string };
  asked: Asked[];
  posted: SlackPosted[];
  updated: SlackPosted[];
  ephemeral: { channel: string; user: string; text: string }[];
  addMember: (email: string, more?: Omit<Partial<Member>, 'email'>) => string;
  addChannel: (name: string) => string;
  /** Makes the next calls of a method fail in this way. With `afterwards`, executes the calls before they fail. */
  fail: (method: string, failure: Failure, times?: number) => void;
  /** Closes every connection, also new ones, until `endOutage` is called. */
  startOutage: () => void;
  endOutage: () => void;
  /** True if a person allows the installation of the app. */
  isAllowed: boolean;
  revokeTokens: () => void;
  /** True if connecting again returns the same token as before. */
  reusesToken: boolean;
  isLive: (token: string) => boolean;
  /** Clicks a button of a posted message as a person. `to` is the product's address for such calls. */
  press: (to: string, press: Press) => Promise<Response>;
  stop: () => Promise<void>;
};
const CLIENT = { id: '1111.2222', secret: 'a client secret' };
/** Starts the fake on a free port, or on the given one. */
export async function startFakeSlack({ port = 0 } = {}): Promise<FakeSlack> {
  const codes = new Map<string, string>();
  const tokens = new Set<string>();
  const members: Member[] = [];
  const channels: { id: string; name: string }[] = [];
  const failures = new Map<string, Failure[]>();
  let isDown = false;
  let ids = 100;
  const newId = (head: string): string => `${head}0${(ids += 1)}`;
  const at = (): string => `1700000000.${String((ids += 1)).padStart(6, '0')}`;

  const answerTo = ({ method, values }: Asked, token: string): object => {
    if (method === 'oauth.v2.access') return access(values);
    if (!tokens.has(token)) return { ok: false, error: token === '' ? 'not_authed' : 'invalid_auth' };
    switch (method) {
      case 'users.lookupByEmail': {
        const found = members.find(({ email }) => email === values['email']?.toLowerCase());
        return found ? { ok: true, user: userOf(found) } : { ok: false, error: 'users_not_found' };
      }
      case 'users.info': {
        const found = members.find(({ id }) => id === values['user']);
        return found ? { ok: true, user: userOf(found) } : { ok: false, error: 'user_not_found' };
      }
      case 'conversations.list': {
        // Each page has two channels, so that a client that ignores the next page misses some of them.
        const from = Number(values['cursor'] ?? 0);
        const next = from + 2 < channels.length ? String(from + 2) : '';
        return { ok: true, channels: channels.slice(from, from + 2), response_metadata: { next_cursor: next } };
      }
      case 'conversations.info': {
        const channel = channels.find(({ id }) => id === values['channel']);
        return channel ? { ok: true, channel } : { ok: false, error: 'channel_not_found' };
      }
      case 'chat.postMessage':
      case 'chat.update': {
        const { channel = '', text = '' } = values;
        const isThere = [...members, ...channels].some(({ id }) => id === channel) || channel.startsWith('D');
        if (!isThere) return { ok: false, error: 'channel_not_found' };
        const blocks = JSON.parse(values['blocks'] ?? '[]') as Block[];
        const problem = problemOf(blocks);
        if (problem) return { ok: false, error: 'invalid_blocks', errors: [problem] };
        const message = {
          // A message to a person is posted in the app's conversation with them.
          channel: channel.startsWith('U') ? `D${channel.slice(1)}` : channel,
          ts: values['ts'] ?? at(),
          text,
          blocks,
          token,
        };
        (method === 'chat.update' ? slack.updated : slack.posted).push(message);
        return { ok: true, channel: message.channel, ts: message.ts, message: { text } };
      }
      case 'chat.postEphemeral':
        slack.ephemeral.push({
          channel: values['channel'] ?? '',
          user: values['user'] ?? '',
          text: values['text'] ?? '',
        });
        return { ok: true, message_ts: at() };
      case 'auth.revoke':
        tokens.delete(token);
        return { ok: true, revoked: true };
      default:
        return { ok: false, error: 'unknown_method' };
    }
  };

  const userOf = ({ id, email, isStranger = false, isConfirmed = true }: Member): object => ({
    id,
    team_id: isStranger ? 'T0ELSEWHERE' : slack.team.id,
    deleted: false,
    is_bot: false,
    ...(isStranger && { is_stranger: true }),
    is_email_confirmed: isConfirmed,
    profile: { email },
  });

  const access = (values: Record<string, string>): object => {
    if (values['client_id'] !== CLIENT.id || values['client_secret'] !== CLIENT.secret)
      return { ok: false, error: 'bad_client_secret' };
    const code = values['code'] ?? '';
    const returnTo = codes.get(code);
    if (returnTo === undefined) return { ok: false, error: 'invalid_code' };
    codes.delete(code);
    if (returnTo !== values['redirect_uri']) return { ok: false, error: 'bad_redirect_uri' };
    const token = (slack.reusesToken && [...tokens].at(-1)) || `xoxb-${randomBytes(8).toString('hex')}`;
    tokens.add(token);
    return { ok: true, access_token: token, token_type: 'bot', team: slack.team, bot_user_id: 'U0BOT' };
  };

  const authorize = (url: URL, response: ServerResponse): void => {
    const state = url.searchParams.get('state') ?? '';
    const back = new URL(url.searchParams.get('redirect_uri') ?? '');
    if (url.searchParams.get('client_id') !== CLIENT.id) return void response.writeHead(400).end('unknown app');
    if (slack.isAllowed) {
      const code = randomBytes(8).toString('hex');
      codes.set(code, back.href);
      back.searchParams.set('code', code);
    } else back.searchParams.set('error', 'access_denied');
    back.searchParams.set('state', state);
    response.writeHead(302, { location: back.href }).end();
  };

  const call = (request: IncomingMessage, method: string, body: string, response: ServerResponse): void => {
    const received = { method, values: Object.fromEntries(new URLSearchParams(body)) };
    slack.asked.push(received);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? received.values['token'] ?? '';
    const failure = failures.get(method)?.shift();
    if (!failure) return send(response, 200, answerTo(received, token));
    if (failure.afterwards) answerTo(received, token);
    if (failure.disconnect) return void request.socket.destroy();
    send(response, failure.status ?? 200, failure.body ?? { ok: false, error: 'internal_error' }, failure.headers);
  };

  const server = createServer((request, response) => {
    if (isDown) return void request.socket.destroy();
    const url = new URL(request.url ?? '/', 'http://slack.test');
    if (url.pathname === '/oauth/v2/authorize') return authorize(url, response);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      call(request, url.pathname.slice('/api/'.length), Buffer.concat(chunks).toString(), response),
    );
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const slack: FakeSlack = {
    environment: {
      SLACK_CLIENT_ID: CLIENT.id,
      SLACK_CLIENT_SECRET: CLIENT.secret,
      SLACK_SIGNING_SECRET: SIGNING_SECRET,
      SLACK_API_URL: `${url}/api/`,
    },
    team: { id: 'T0TEAM', name: 'Halden Works' },
    asked: [],
    posted: [],
    updated: [],
    ephemeral: [],
    addMember: (email, more = {}) => {
      const member = { id: newId('U'), email: email.toLowerCase(), ...more };
      members.push(member);
      return member.id;
    },
    addChannel: (name) => {
      const channel = { id: newId('C'), name };
      channels.push(channel);
      return channel.id;
    },
    fail: (method, failure, times = 1) =>
      void failures.set(method, [...(failures.get(method) ?? []), ...Array.from({ length: times }, () => failure)]),
    startOutage: () => {
      isDown = true;
      server.closeAllConnections();
    },
    endOutage: () => {
      isDown = false;
    },
    isAllowed: true,
    revokeTokens: () => tokens.clear(),
    reusesToken: false,
    isLive: (token) => tokens.has(token),
    press: (to, press) => sendSigned(to, payloadOf(press, press.team ?? slack.team.id)),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return slack;
}

const send = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
