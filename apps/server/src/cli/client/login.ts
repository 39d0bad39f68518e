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
import { type SavedLogin, forgetLogin, isUnprotected, keptLogin, saveLogin, serverAddress } from './saved-login.ts';
import { json, shown } from './shown.ts';

const HELP = `Usage: stet login URL [--email EMAIL] [--token] [--organization NAME] [--json]

Signs in at a server and keeps the sign-in in $XDG_CONFIG_HOME/stet/login.json (else ~/.config/stet/login.json), which
only you may read. The other commands work there, in the organization that was selected.

Signs in with, whichever is there first:
  STET_TOKEN          an API token in the environment
  --token             an API token on standard input
  --email EMAIL       a password, asked for at the terminal, else the first line of standard input

Options:
  --organization NAME select this organization first, by its name, its URL name or its id; that is selected in the
                      browser, too
  --json              the result as JSON
  -h, --help          show this

With STET_URL and STET_TOKEN set, the other commands need no login.

${EXIT_CODES_IN_WORDS}
Example: stet login https://stet.example.com --email ada@example.com
`;

export const login: Command = {
  name: 'login',
  summary: 'Sign in at a server, with a token or a password',
  help: HELP,
  options: {
    email: { type: 'string' },
    token: { type: 'boolean' },
    organization: { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: { min: 1, max: 1 },
  run: async (given, terminal) => {
    const server = serverAddress(given.positionals[0] ?? '');
    if (isUnprotected(server))
      terminal.say(`${server} is not encrypted: what you sign in with can be read on its way.`);
    const entry = await entryOf(given, terminal, server);
    const signedIn = await described(entry, textOption(given, 'organization'));
    const file = saveLogin(terminal.env, signedIn);
    const { email, organization } = signedIn;
    if (given.options['json'] === true) await terminal.out(json({ server, email, organization, kept: file }));
    else
      terminal.say(
        `Signed in at ${server}${email ? ` as ${email}` : ''}${organization ? `, in ${shown(organization.name)}` : ''}.`,
      );
    return 0;
  },
};

export const logout: Command = {
  name: 'logout',
  summary: 'End the kept sign-in',
  help: `Usage: stet logout

Ends the session on the server and forgets it here. An API token is forgotten only: revoke it in the settings.

${EXIT_CODES_IN_WORDS}`,
  options: {},
  run: async (_, terminal) => {
    const kept = keptLogin(terminal.env);
    if (!kept) {
      terminal.say('You are not signed in.');
      return 0;
    }
    forgetLogin(terminal.env);
    if (kept.kind === 'token') {
      terminal.say(`Forgotten. The token itself goes on: revoke it at ${kept.server} where nothing else uses it.`);
      return 0;
    }
    try {
      await openApi({ ...kept, organization: null }).call('POST /api/auth/logout');
    } catch (error) {
      // A session that has ended is what was asked for.
      if (!(error instanceof CallRefused && error.status === 401)) throw error;
    }
    terminal.say(`Signed out of ${kept.server}.`);
    return 0;
  },
};

/** A token and how it came; the rest isn't known yet. */
async function entryOf(given: Arguments, terminal: Terminal, server: string): Promise<SavedLogin> {
  const unknown = { server, email: null, organization: null };
  const token = terminal.env['STET_TOKEN'] || (given.options['token'] === true ? (await terminal.read()).trim() : '');
  if (token) return { ...unknown, kind: 'token', token };
  const email = textOption(given, 'email');
  if (!email)
    throw new CommandProblem(
      'login: Give --email EMAIL, or a token by STET_TOKEN or --token. See: stet login --help',
      EXIT.usage,
    );
  const password =
    (await terminal.askSecret(`Password of ${email} at ${server}: `)) ?? firstLine(await terminal.read());
  const anyone = openApi({ ...unknown, kind: 'password', token: 'none' });
  const { token: session } = await anyone.call('POST /api/auth/login', { body: { email, password } }).catch(inWords);
  return { ...unknown, kind: 'password', token: session };
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';

function inWords(error: unknown): never {
  if (error instanceof CallRefused && error.status === 401)
    throw new CommandProblem('The email or the password is not right.', EXIT.notSignedIn);
  throw error;
}

/** Asks the server who that is, and selects the organization. */
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
    throw new CommandProblem(`You are not a member of an organization "${wanted}". Yours: ${names}`);
  }
  if (found && found.id !== user.currentOrgId)
    await api.call('POST /api/users/switch-organization', { body: { organizationId: found.id } });
  return { ...entry, email: user.email, organization: found ? { id: found.id, name: found.name } : null };
}

/** The person behind the token; null where it stands for no person, which a call that any token may make shows. */
async function whoIs(api: Api): Promise<User | null> {
  try {
    return await api.call('GET /api/auth/me');
  } catch (error) {
    if (!(error instanceof CallRefused && error.status === 403)) throw error;
    await api.call('GET /api/workflow-counts');
    return null;
  }
}
