/** The reason why a request to Slack failed. */
export type SlackFailure =
  /** Slack is unreachable, fails or limits our request rate, so a retry may succeed. */
  | { kind: 'later'; waitMs: number }
  /** The organization's connection has ended and has to be set up again. */
  | { kind: 'ended'; code: string }
  /** Slack refuses permanently, so a retry doesn't help. */
  | { kind: 'refused'; code: string };

export class SlackProblem extends Error {
  constructor(
    readonly failure: SlackFailure,
    options?: ErrorOptions,
  ) {
    super(failure.kind === 'later' ? 'Slack could not be reached' : `Slack responded with ${failure.code}`, options);
  }
}

/** A message as blocks, and as plain text for clients that can't show blocks. */
export type SlackMessage = { text: string; blocks: readonly object[] };
/** The position of a message in Slack. */
type SlackPlace = { channel: string; ts: string };
export type SlackChannel = { id: string; name: string };

/** A workspace that the server accesses with its token. Each call may throw `SlackProblem`. */
export type SlackWorkspace = {
  /** The member with this address, or null if there is none. */
  userIdOf: (email: string) => Promise<string | null>;
  /**
   * The address of an account of the workspace, including guests. Null for bots, deleted accounts and people of other
   * workspaces, and if Slack says that the address isn't confirmed.
   */
  emailOf: (userId: string, teamId: string) => Promise<string | null>;
  /** The public channels that aren't archived, sorted by name; at most 2000. */
  channels: () => Promise<SlackChannel[]>;
  channel: (id: string) => Promise<SlackChannel | null>;
  /** Posts a message. `to` is a channel or a person. */
  post: (to: string, message: SlackMessage) => Promise<SlackPlace>;
  replace: (at: SlackPlace, message: SlackMessage) => Promise<void>;
  /** Posts a message that only one person in a channel can see. */
  whisper: (at: { channel: string; userId: string }, text: string) => Promise<void>;
  /** Revokes the token. */
  revoke: () => Promise<void>;
};

export type SlackInstallation = { teamId: string; teamName: string; token: string };

/** An incoming request from Slack. */
export type SlackCall = { signature: string | undefined; timestamp: string | undefined; body: string };

/** The Slack app of this installation. */
export type Slack = {
  /**
   * Returns the address where Slack asks a person to install the app in a workspace. Slack then sends the person to
   * `returnTo`.
   */
  consentUrl: (state: string, returnTo: string) => string;
  /** Exchanges the code for a token. Throws `SlackProblem`. */
  install: (code: string, returnTo: string) => Promise<SlackInstallation>;
  workspace: (token: string) => SlackWorkspace;
  /**
   * True if people can execute actions in Slack. This requires the signing secret, which authenticates Slack's calls.
   */
  receivesActions: boolean;
  /** Returns true if Slack signed the request, with a time that is at most five minutes from now. */
  isGenuine: (call: SlackCall, nowMs: number) => boolean;
};
