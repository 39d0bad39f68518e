/** Why Slack didn't do what it was asked. */
export type SlackFailure =
  /** It can't be reached, or wants to be left alone for a while; asking again later may help. */
  | { kind: 'later'; waitMs: number }
  /** The organization's connection has ended; only connecting anew helps. */
  | { kind: 'ended'; code: string }
  /** It doesn't do this, however often it is asked. */
  | { kind: 'refused'; code: string };

export class SlackProblem extends Error {
  constructor(
    readonly failure: SlackFailure,
    options?: ErrorOptions,
  ) {
    super(failure.kind === 'later' ? 'Slack could not be reached' : `Slack answered ${failure.code}`, options);
  }
}

/** A message: as blocks, and as one text for what shows no blocks. */
export type SlackMessage = { text: string; blocks: readonly object[] };
/** Where a message stands, as Slack names it. */
type SlackPlace = { channel: string; ts: string };
export type SlackChannel = { id: string; name: string };

/** A workspace by the token that it gave. Each call may throw `SlackProblem`. */
export type SlackWorkspace = {
  /** Null where nobody there has this address. */
  userIdOf: (email: string) => Promise<string | null>;
  /** The address of a full member of the workspace, as Slack has confirmed it; null for anyone else. */
  emailOf: (userId: string, teamId: string) => Promise<string | null>;
  /** The public channels, by name. */
  channels: () => Promise<SlackChannel[]>;
  channel: (id: string) => Promise<SlackChannel | null>;
  /** `to` is a channel or a person. */
  post: (to: string, message: SlackMessage) => Promise<SlackPlace>;
  replace: (at: SlackPlace, message: SlackMessage) => Promise<void>;
  /** Says something that one person in a channel sees. */
  whisper: (at: { channel: string; userId: string }, text: string) => Promise<void>;
  /** Ends the token. */
  revoke: () => Promise<void>;
};

export type SlackInstallation = { teamId: string; teamName: string; token: string };

/** What Slack sent of a call of its own. */
export type SlackCall = { signature: string | undefined; timestamp: string | undefined; body: string };

/** The Slack app of this installation. */
export type Slack = {
  /** Where Slack asks a person whether to let the app into their workspace; then it sends them to `returnTo`. */
  consentUrl: (state: string, returnTo: string) => string;
  /** Takes the code that came back. Throws `SlackProblem`. */
  install: (code: string, returnTo: string) => Promise<SlackInstallation>;
  workspace: (token: string) => SlackWorkspace;
  /** Whether people can act from within Slack: its calls can be told from others'. */
  hearsBack: boolean;
  /** Whether Slack itself sent the call, at most five minutes ago. */
  isGenuine: (call: SlackCall, nowMs: number) => boolean;
};
