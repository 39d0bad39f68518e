import type { Deps } from '../../kernel/deps.ts';
import type { SlackWorkspace } from '../../kernel/slack.ts';
import { Unreadable } from '../../kernel/vault.ts';
import { type ConnectionRow, findConnection } from './slack-connections.sql.ts';

const PURPOSE = 'slack token';

export type Connected = { connection: ConnectionRow; workspace: SlackWorkspace };
type WorkspaceDeps = Pick<Deps, 'db' | 'slack' | 'vault'>;

export const sealToken = ({ vault }: Pick<Deps, 'vault'>, orgId: string, token: string): string =>
  vault.seal(PURPOSE, orgId, token);

/** Null where the secret that it was sealed under is gone. */
export function openToken({ vault }: Pick<Deps, 'vault'>, orgId: string, sealed: string): string | null {
  try {
    return vault.open(PURPOSE, orgId, sealed);
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/** The workspace of a connection; null where there is none, no Slack app, or the token can't be read any more. */
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
