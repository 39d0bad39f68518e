import { z } from 'zod';
import type { Deps } from '../../kernel/deps.ts';
import { SlackProblem } from '../../kernel/slack.ts';
import { findConnection, isTeamShared, listSealedOtherwise, resealToken } from './slack-connections.sql.ts';
import { openToken, sealToken } from './workspace.ts';

const toRevoke = z.object({ orgId: z.uuid(), sealedToken: z.string(), teamId: z.string() });
export type ToRevoke = z.output<typeof toRevoke>;

export const revokeJob = (payload: ToRevoke) => ({ task: 'revoke_slack_token', payload });

/**
 * Revokes a token at Slack that the organization no longer uses. Succeeds if the token was already revoked. Doesn't
 * revoke a token that the organization uses again, or any token of a workspace to which another organization is
 * connected, because Slack may have issued the same token to both.
 */
export async function revokeSlackToken(deps: Pick<Deps, 'db' | 'slack' | 'vault'>, payload: unknown): Promise<void> {
  const { orgId, sealedToken, teamId } = toRevoke.parse(payload);
  const token = openToken(deps, orgId, sealedToken);
  if (token === null || !deps.slack) return;
  const [connection, sharing] = await deps.db.transaction({ orgId, userId: null }, (tx) =>
    Promise.all([tx.maybeOne(findConnection, { orgId }), tx.maybeOne(isTeamShared, { teamId, orgId })]),
  );
  const isInUse = connection !== undefined && openToken(deps, orgId, connection.sealed_token) === token;
  if (isInUse || sharing?.shared) return;
  try {
    await deps.slack.workspace(token).revoke();
  } catch (error) {
    if (!(error instanceof SlackProblem) || error.failure.kind === 'later') throw error;
  }
}

/**
 * Re-encrypts each token whose encryption still uses an earlier secret. After that, the earlier secret can be removed.
 */
export async function resealSlackTokens(deps: Pick<Deps, 'db' | 'vault'>): Promise<void> {
  const found = await deps.db.query(listSealedOtherwise, { keyId: deps.vault.keyId });
  for (const { org_id: orgId } of found) {
    await deps.db.transaction({ orgId, userId: null }, async (tx) => {
      const was = (await tx.maybeOne(findConnection, { orgId }))?.sealed_token;
      const token = was === undefined ? null : openToken(deps, orgId, was);
      if (token !== null) tx.write(resealToken, { orgId, was, sealedToken: sealToken(deps, orgId, token) });
    });
  }
}
