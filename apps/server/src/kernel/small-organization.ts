/**
 * The maximum number of people with a role for which each person gets a separate notification. If more people have the
 * role, the role gets a single notification, and its recipients are determined when it is read.
 */
export const MAX_ROWS = 50;

/**
 * An SQL expression that is true if the organization $1 has at most `MAX_ROWS` members, isn't connected to Slack, and
 * nobody in it delegates work now or later. Simpler statements can then insert its notifications.
 */
export const IS_SMALL = `(not exists (select from memberships m where m.org_id = $1 offset ${MAX_ROWS})
                and not exists (select from slack_connections c where c.org_id = $1)
                and not exists (select from delegations d where d.org_id = $1 and d.ended_at is null and d.ends_at > now()))`;
