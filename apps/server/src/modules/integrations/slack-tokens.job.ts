import { z } from 'zod';
import type { Deps } from '../../kernel/deps.ts';
import { SlackProblem } from '../../kernel/slack.ts';
import { findConnection, listSealedOtherwise, resealToken } from './slack.sql.ts';
import { openToken, sealToken } from './workspace.ts';

const toRevoke = z.object({ orgId: z.uuid(), sealedToken: z.string() });

/** Ends the token of a connection that is no more, at Slack; one that Slack has ended by itself is as good. */
export async function revokeSlackToken(deps: Pick<Deps, 'slack' | 'vault'>, payload: unknown): Promise<void> {
  const { orgId, sealedToken } = toRevoke.parse(payload);
  const token = openToken(deps, orgId, sealedToken);
  if (token === null || !deps.slack) return;
  try {
    await deps.slack.workspace(token).revoke();
  } catch (error) {
    if (!(error instanceof SlackProblem) || error.failure.kind === 'later') throw error;
  }
}

/** Seals under the key of now what an earlier secret has sealed, so that the earlier one can be forgotten. */
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
