import type { User } from '@stet/contract';
import {
  type Arguments,
  type Command,
  CommandProblem,
  EXIT,
  EXIT_CODES_IN_WORDS,
  type Terminal,
  textOption,
} from '../command.ts';
import { type Api, CallRefused, openApi } from './api.ts';
import { type SavedLogin, forgetLogin, isUnprotected, readLogin, saveLogin, serverAddress } from './saved-login.ts';
import { json, shown } from './shown.ts';

const HELP = `Usage: stet login URL [--email EMAIL] [--token] [--organization NAME] [--json]

Signs in to a server and saves the sign-in to $XDG_CONFIG_HOME/stet/login.json (or ~/.config/stet/login.json), readable
only by you. The other commands then use this server and the organization selected there.

Uses the first of these that is given:
  STET_TOKEN          an API token in the environment
  --token             an API token on standard input
  --email EMAIL       a password, entered at the terminal or as the first line of standard input

Options:
  --organization NAME select this organization first, by name, URL prefix or id; this also selects it in the browser
  --json              print the result as JSON
  -h, --help          show this help

If STET_URL and STET_TOKEN are set, the other commands need no login.

${EXIT_CODES_IN_WORDS}
Example: stet login https://stet.example.com --email ada@example.com
`;

export const login: Command = {
  name: 'login',
  summary: 'Sign in to a server, with a token or a password',
  help: HELP,
  options: {
    email: { type: 'string' },
    token: { type: 'boolean' },
    organization: { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: { min: 1, max: 1 },
  run: async (args, terminal) => {
    const server = serverAddress(args.positionals[0] ?? '');
    if (isUnprotected(server))
      terminal.say(
        `The connection to ${server} is not encrypted: others on the network could read your password or token.`,
      );
    const entry = await entryOf(args, terminal, server);
    const signedIn = await described(entry, textOption(args, 'organization'));
    const file = saveLogin(terminal.env, signedIn);
    const { email, organization } = signedIn;
    if (args.options['json'] === true) await terminal.out(json({ server, email, organization, kept: file }));
    else
      terminal.say(
        `Signed in at ${server}${email ? ` as ${email}` : ''}${organization ? `, in ${shown(organization.name)}` : ''}.`,
      );
    return 0;
  },
};

export const logout: Command = {
  name: 'logout',
  summary: 'End the saved sign-in',
  help: `Usage: stet logout

Ends the session on the server and removes the saved sign-in. An API token stays valid: revoke it in the settings.

${EXIT_CODES_IN_WORDS}`,
  options: {},
  run: async (_, terminal) => {
    const savedLogin = readLogin(terminal.env);
    if (!savedLogin) {
      terminal.say('You are not signed in.');
      return 0;
    }
    forgetLogin(terminal.env);
    if (savedLogin.kind === 'token') {
      terminal.say(
        `Sign-in removed. The token is still valid: revoke it at ${savedLogin.server} if nothing else uses it.`,
      );
      return 0;
    }
    try {
      await openApi({ ...savedLogin, organization: null }).call('POST /api/auth/logout');
    } catch (error) {
      // The session had already ended, so nothing is left to do.
      if (!(error instanceof CallRefused && error.status === 401)) throw error;
    }
    terminal.say(`Signed out of ${savedLogin.server}.`);
    return 0;
  },
};

/** Returns a sign-in with the token and its kind. The person and the organization aren't known yet. */
async function entryOf(args: Arguments, terminal: Terminal, server: string): Promise<SavedLogin> {
  const unknown = { server, email: null, organization: null };
  const token = terminal.env['STET_TOKEN'] || (args.options['token'] === true ? (await terminal.read()).trim() : '');
  if (token) return { ...unknown, kind: 'token', token };
  const email = textOption(args, 'email');
  if (!email)
    throw new CommandProblem(
      'login: give --email EMAIL, or a token with STET_TOKEN or --token. See: stet login --help',
      EXIT.usage,
    );
  const password =
    (await terminal.askSecret(`Password for ${email} at ${server}: `)) ?? firstLine(await terminal.read());
  const anyone = openApi({ ...unknown, kind: 'password', token: 'none' });
  const { token: session } = await anyone.call('POST /api/auth/login', { body: { email, password } }).catch(inWords);
  return { ...unknown, kind: 'password', token: session };
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';

function inWords(error: unknown): never {
  if (error instanceof CallRefused && error.status === 401)
    throw new CommandProblem('Wrong email or password.', EXIT.notSignedIn);
  throw error;
}

/**
 * Returns the sign-in with the person's address and the selected organization. `wanted` is the name, URL prefix or id
 * of an organization to select first. The person must be a member of it. If the token can't read an account, refuses
 * `wanted` or, without it, returns the sign-in unchanged.
 */
async function described(entry: SavedLogin, wanted: string | null): Promise<SavedLogin> {
  const api = openApi(entry);
  const user = await whoIs(api);
  if (!user) {
    if (wanted !== null) throw new CommandProblem('This token belongs to one organization; leave out --organization.');
    return entry;
  }
  const all = user.organizations;
  const found = all.find(({ id, name, slug }) =>
    wanted === null ? id === user.currentOrgId : [id, name, slug].includes(wanted),
  );
  if (wanted !== null && !found) {
    const names = all.map(({ name }) => shown(name)).join(', ');
    throw new CommandProblem(`You are not a member of an organization "${wanted}". Your organizations: ${names}`);
  }
  if (found && found.id !== user.currentOrgId)
    await api.call('POST /api/users/switch-organization', { body: { organizationId: found.id } });
  return { ...entry, email: user.email, organization: found ? { id: found.id, name: found.name } : null };
}

/**
 * Returns the account to which the token belongs. Null if the server doesn't let this token read the account. In this
 * case, a second call checks whether the token is valid.
 */
async function whoIs(api: Api): Promise<User | null> {
  try {
    return await api.call('GET /api/auth/me');
  } catch (error) {
    if (!(error instanceof CallRefused && error.status === 403)) throw error;
    await api.call('GET /api/workflow-counts');
    return null;
  }
}
