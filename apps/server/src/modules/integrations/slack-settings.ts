import type { SlackStatus } from '@stet/contract';
import { enqueueJobs } from '../../db/outbox.ts';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { Refused } from '../../kernel/refused.ts';
import { type SlackChannel, SlackProblem } from '../../kernel/slack.ts';
import { appendAudit } from '../audit/index.ts';
import { type ConnectionRow, deleteConnection, findConnection, saveChannel } from './slack-connections.sql.ts';
import { revokeJob } from './slack-tokens.job.ts';
import { connectedWorkspace, openToken } from './workspace.ts';

const subject = { type: 'integration', id: 'slack' } as const;

export const slackStatus: Handler<'GET /api/integrations/slack/status'> = async (deps, { actor }) => {
  const { orgId } = actor;
  const connection = await deps.db.transaction(actor, (tx) => tx.maybeOne(findConnection, { orgId }));
  return answer(presentStatus(deps, orgId, connection));
};

export const listSlackChannels: Handler<'GET /api/integrations/slack/channels'> = async (deps, { actor }) => {
  const connected = await connectedWorkspace(deps, actor.orgId);
  return answer(connected ? await fromSlack(() => connected.workspace.channels()) : []);
};

/**
 * Selects the channel for messages about steps of roles, groups and people who aren't found in Slack; null for none.
 * Refuses a channel that doesn't exist.
 */
export const pickSlackChannel: Handler<'PATCH /api/integrations/slack'> = async (deps, { actor, body }) => {
  const { orgId } = actor;
  const channel = await channelOf(deps, orgId, body.channelId);
  const saved = await deps.db.transaction(actor, async (tx) => {
    const connection = await tx.maybeOne(findConnection, { orgId });
    if (!connection) throw new Refused({ code: 'not_found', what: 'slack' });
    const [channelId, channelName] = [channel?.id ?? null, channel?.name ?? null];
    if (channelId === connection.channel_id) return connection;
    tx.write(saveChannel, { orgId, channelId, channelName });
    const data = { channel: { before: connection.channel_name, after: channelName } };
    appendAudit(tx, [{ ...auditActor(actor), action: 'integration.changed', subject, data }]);
    return { ...connection, channel_id: channelId, channel_name: channelName };
  });
  return answer(presentStatus(deps, orgId, saved));
};

/** Deletes the token immediately. A job revokes it at Slack. */
export const disconnectSlack: Handler<'DELETE /api/integrations/slack'> = async (deps, { actor }) => {
  const { orgId } = actor;
  await deps.db.transaction(actor, async (tx) => {
    const connection = await tx.maybeOne(findConnection, { orgId });
    if (!connection) throw new Refused({ code: 'not_found', what: 'slack' });
    const { team_id: teamId, team_name: teamName, sealed_token: sealedToken } = connection;
    tx.write(deleteConnection, { orgId });
    enqueueJobs(tx, [revokeJob({ orgId, sealedToken, teamId })]);
    appendAudit(tx, [
      { ...auditActor(actor), action: 'integration.disconnected', subject, data: { teamId, teamName } },
    ]);
  });
  deps.pokeOutbox();
  return answer(presentStatus(deps, orgId, undefined));
};

async function channelOf(deps: Deps, orgId: string, channelId: string | null): Promise<SlackChannel | null> {
  if (channelId === null) return null;
  const connected = await connectedWorkspace(deps, orgId);
  if (!connected) throw new Refused({ code: 'not_found', what: 'slack' });
  const channel = await fromSlack(() => connected.workspace.channel(channelId));
  if (!channel) throw new Refused({ code: 'not_found', what: 'slack_channel' });
  return channel;
}

/** Wraps a call to Slack that a person is waiting for. If it fails, refuses with `slack_unavailable`. */
async function fromSlack<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof SlackProblem) throw new Refused({ code: 'slack_unavailable' });
    throw error;
  }
}

function presentStatus(deps: Deps, orgId: string, connection: ConnectionRow | undefined): SlackStatus {
  const isReadable = connection !== undefined && openToken(deps, orgId, connection.sealed_token) !== null;
  return {
    connected: connection !== undefined,
    available: deps.slack !== null,
    workspace: connection?.team_name ?? null,
    channel: channelOfRow(connection),
    problem: connection === undefined ? null : isReadable ? connection.problem : 'secret_key_changed',
    connectedAt: connection?.connected_at.toISOString() ?? null,
    connectedBy: connection?.connected_by ?? null,
  };
}

function channelOfRow(connection: ConnectionRow | undefined): SlackChannel | null {
  const { channel_id: id = null, channel_name: name = null } = connection ?? {};
  return id === null ? null : { id, name: name ?? id };
}
