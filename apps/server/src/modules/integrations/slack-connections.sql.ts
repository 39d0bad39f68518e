import { z } from 'zod';
import { statement } from '../../db/statement.ts';

const connection = z.object({
  team_id: z.string(),
  team_name: z.string(),
  sealed_token: z.string(),
  channel_id: z.string().nullable(),
  channel_name: z.string().nullable(),
  problem: z.string().nullable(),
  connected_at: z.date(),
  connected_by: z.string(),
});
export type ConnectionRow = z.output<typeof connection>;

export const findConnection = statement({
  name: 'find_slack_connection',
  params: ['orgId'],
  row: connection,
  text: `select c.team_id, c.team_name, c.sealed_token, c.channel_id, c.channel_name, c.problem, c.connected_at, u.name as connected_by
         from slack_connections c join users u on u.id = c.connected_by
         where c.org_id = $1`,
});

/** Locks the connection that is about to be replaced. A concurrent replacement has to wait. */
export const lockConnection = statement({
  name: 'lock_slack_connection',
  params: ['orgId'],
  row: z.object({ team_id: z.string(), sealed_token: z.string() }),
  text: `select team_id, sealed_token from slack_connections where org_id = $1 for update`,
});

/** Saves a new or renewed connection. If the workspace is different, the channel is reset. */
export const saveConnection = statement({
  name: 'save_slack_connection',
  params: ['orgId', 'teamId', 'teamName', 'sealedToken', 'userId'],
  text: `insert into slack_connections as c (org_id, team_id, team_name, sealed_token, connected_by) values ($1, $2, $3, $4, $5)
         on conflict (org_id) do update set
           team_id = excluded.team_id, team_name = excluded.team_name, sealed_token = excluded.sealed_token,
           channel_id = case when c.team_id = excluded.team_id then c.channel_id end,
           channel_name = case when c.team_id = excluded.team_id then c.channel_name end,
           problem = null, connected_by = excluded.connected_by, connected_at = now()`,
});

export const saveChannel = statement({
  name: 'save_slack_channel',
  params: ['orgId', 'channelId', 'channelName'],
  text: `update slack_connections set channel_id = $2, channel_name = $3 where org_id = $1`,
});

/** Saves a token that was encrypted again, unless the token was replaced in the meantime. */
export const resealToken = statement({
  name: 'reseal_slack_token',
  params: ['orgId', 'was', 'sealedToken'],
  text: `update slack_connections set sealed_token = $3 where org_id = $1 and sealed_token = $2`,
});

/** Records that the token no longer works. */
export const saveProblem = statement({
  name: 'save_slack_problem',
  params: ['orgId', 'tried', 'problem'],
  text: `update slack_connections set problem = $3 where org_id = $1 and sealed_token = $2`,
});

export const deleteConnection = statement({
  name: 'delete_slack_connection',
  params: ['orgId'],
  text: `delete from slack_connections where org_id = $1`,
});

export const isTeamShared = statement({
  name: 'is_slack_team_shared',
  params: ['teamId', 'orgId'],
  row: z.object({ shared: z.boolean() }),
  text: `select slack_team_is_shared($1, $2) as shared`,
});

export const listSealedOtherwise = statement({
  name: 'list_slack_sealed_otherwise',
  params: ['keyId'],
  row: z.object({ org_id: z.uuid() }),
  text: `select org_id from slack_sealed_otherwise($1)`,
});
