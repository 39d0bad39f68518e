import type { OrgRole } from '@stet/domain/access';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

export const listMembers = statement({
  name: 'list_members',
  params: ['orgId'],
  row: z.object({ id: z.uuid(), name: z.string(), email: z.string(), role: z.custom<OrgRole>() }),
  text: `select u.id, u.name, u.email, m.role
         from memberships m join users u on u.id = m.user_id
         where m.org_id = $1 order by lower(u.name), u.id`,
});

export const listCommonAssignees = statement({
  name: 'list_common_assignees',
  params: ['orgId'],
  row: z.object({ assignee: z.string() }),
  text: `select step ->> 'assignee' as assignee
         from workflow_versions v cross join json_array_elements(v.steps) step
         where v.org_id = $1 and v.status = 'live' and coalesce(step ->> 'assignee', '') <> ''
         group by 1 order by count(*) desc, 1 limit 20`,
});
