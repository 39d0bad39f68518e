/** Why Slack refused a request. */
export type SlackFailure =
  /** Slack is unreachable or limits our rate; a later retry may succeed. */
  | { kind: 'later'; waitMs: number }
  /** The organization's connection has ended and must be set up again. */
  | { kind: 'ended'; code: string }
  /** Slack refuses permanently; retrying doesn't help. */
  | { kind: 'refused'; code: string };

export class SlackProblem extends Error {
  constructor(
    readonly failure: SlackFailure,
    options?: ErrorOptions,
  ) {
    super(failure.kind === 'later' ? 'Slack could not be reached' : `Slack answered ${failure.code}`, options);
  }
}

/** A message: as blocks, and as plain text for clients that show no blocks. */
export type SlackMessage = { text: string; blocks: readonly object[] };
/** A message's position in Slack's terms. */
type SlackPlace = { channel: string; ts: string };
export type SlackChannel = { id: string; name: string };

/** A workspace, accessed with its token. Each call may throw `SlackProblem`. */
export type SlackWorkspace = {
  /** Null if no member has this address. */
  userIdOf: (email: string) => Promise<string | null>;
  /** The address of a full member of the workspace, as confirmed by Slack; null for anyone else. */
  emailOf: (userId: string, teamId: string) => Promise<string | null>;
  /** The public channels, by name. */
  channels: () => Promise<SlackChannel[]>;
  channel: (id: string) => Promise<SlackChannel | null>;
  /** `to` is a channel or a person. */
  post: (to: string, message: SlackMessage) => Promise<SlackPlace>;
  replace: (at: SlackPlace, message: SlackMessage) => Promise<void>;
  /** Posts a message that only one person in a channel sees. */
  whisper: (at: { channel: string; userId: string }, text: string) => Promise<void>;
  /** Revokes the token. */
  revoke: () => Promise<void>;
};

export type SlackInstallation = { teamId: string; teamName: string; token: string };

/** An incoming call from Slack. */
export type SlackCall = { signature: string | undefined; timestamp: string | undefined; body: string };

/** The Slack app of this installation. */
export type Slack = {
  /** The address where Slack asks a person to install the app in their workspace; it then sends them to `returnTo`. */
  consentUrl: (state: string, returnTo: string) => string;
  /** Exchanges the code for a token. Throws `SlackProblem`. */
  install: (code: string, returnTo: string) => Promise<SlackInstallation>;
  workspace: (token: string) => SlackWorkspace;
  /** True if people can act from within Slack, which needs the signing secret that authenticates Slack's calls. */
  receivesActions: boolean;
  /** True if Slack itself sent the call, at most five minutes ago. */
  isGenuine: (call: SlackCall, nowMs: number) => boolean;
};
