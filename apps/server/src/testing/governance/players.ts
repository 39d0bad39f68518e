import { addressCodeTo } from '../mailbox.ts';

export type Reply = { status: number; body: unknown };
/** A person with an account, who signs in again automatically if their session was ended. */
export type Player = {
  id: string;
  email: string;
  call: (method: string, path: string, body?: object) => Promise<Reply>;
};

const PASSWORD = 'a long enough one';
let made = 0;

/**
 * Signs up people at a server. Each proves their address with the mailed code, which is read from the data directory.
 */
export async function signUpPlayers({ url, dataDir }: Played, count: number): Promise<Player[]> {
  const players: Player[] = [];
  for (let n = 0; n < count; n += 1) {
    const player = await signUp(url);
    await player.call('POST', '/api/auth/prove-address/code');
    const code = await addressCodeTo(dataDir, player.email);
    const { status } = await player.call('POST', '/api/auth/prove-address', { code });
    if (status !== 200) throw new Error(`${player.email} could not prove their address: ${status}`);
    players.push(player);
  }
  return players;
}

/** A server and the data directory with its mail. */
export type Played = { url: string; dataDir: string };

async function signUp(url: string): Promise<Player> {
  made += 1;
  const email = `player-${process.pid}-${made}@example.com`;
  const { body } = await send(url, null, 'POST', '/api/auth/signup', {
    email,
    name: `Player ${made}`,
    password: PASSWORD,
  });
  let { token } = body as { token: string };
  const signIn = async (): Promise<void> => {
    const reply = await send(url, null, 'POST', '/api/auth/login', { email, password: PASSWORD });
    ({ token } = reply.body as { token: string });
  };
  return {
    id: (body as { user: { id: string } }).user.id,
    email,
    call: async (method, path, input) => {
      const reply = await send(url, token, method, path, input);
      if (reply.status !== 401) return reply;
      await signIn();
      return send(url, token, method, path, input);
    },
  };
}

async function send(url: string, token: string | null, method: string, path: string, body?: object): Promise<Reply> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
