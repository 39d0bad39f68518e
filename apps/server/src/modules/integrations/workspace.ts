import type { Deps } from '../../kernel/deps.ts';
import type { SlackWorkspace } from '../../kernel/slack.ts';
import { Unreadable } from '../../kernel/vault.ts';
import { type ConnectionRow, findConnection } from './slack-connections.sql.ts';
import { textMessage } from './slack-text.ts';

const PURPOSE = 'slack token';

export type Connected = { connection: ConnectionRow; workspace: SlackWorkspace };
type WorkspaceDeps = Pick<Deps, 'db' | 'slack' | 'vault'>;

export const sealToken = ({ vault }: Pick<Deps, 'vault'>, orgId: string, token: string): string =>
  vault.seal(PURPOSE, orgId, token);

/** Decrypts a token. Returns null if the server no longer has the secret with which it was encrypted. */
export function openToken({ vault }: Pick<Deps, 'vault'>, orgId: string, sealed: string): string | null {
  try {
    return vault.open(PURPOSE, orgId, sealed);
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/**
 * The workspace of a connection. Null if there is no connection or no Slack app, or if the token can no longer be
 * decrypted.
 */
export function workspaceOf(
  deps: Pick<Deps, 'slack' | 'vault'>,
  orgId: string,
  connection: ConnectionRow | undefined,
): Connected | null {
  const token = connection ? openToken(deps, orgId, connection.sealed_token) : null;
  return connection && deps.slack && token !== null ? { connection, workspace: deps.slack.workspace(token) } : null;
}

export async function connectedWorkspace(deps: WorkspaceDeps, orgId: string): Promise<Connected | null> {
  const connection = await deps.db.transaction({ orgId, userId: null }, (tx) => tx.maybeOne(findConnection, { orgId }));
  return workspaceOf(deps, orgId, connection);
}

type Text = { title: string; text: string; link: string };

/**
 * Returns a function that sends a Slack message to the person with an address, or null if the organization has no
 * working connection. The function returns false if nobody in Slack has the address, and throws `SlackProblem` if Slack
 * fails.
 */
export async function slackSender(
  deps: Pick<Deps, 'db' | 'slack' | 'vault'>,
  orgId: string,
): Promise<((email: string, text: Text) => Promise<boolean>) | null> {
  const connected = await connectedWorkspace(deps, orgId);
  if (!connected || connected.connection.problem !== null) return null;
  const { workspace } = connected;
  return async (email, text) => {
    const person = await workspace.userIdOf(email);
    if (person !== null) await workspace.post(person, textMessage(text));
    return person !== null;
  };
}
