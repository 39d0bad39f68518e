import { z } from 'zod';
import { statement } from '../../db/statement.ts';

export const setVersionStatus = statement({
  name: 'set_version_status',
  params: ['orgId', 'id', 'status'],
  text: `update workflow_versions
         set status = $3, superseded_at = case when $3 = 'superseded' then now() end
         where org_id = $1 and id = $2`,
});

/** The number of the version that is live at this moment. */
export const findLiveNumber = statement({
  name: 'find_live_number',
  params: ['orgId', 'key'],
  row: z.object({ version: z.number().nullable() }),
  text: `select v.version from workflows w
         join workflow_versions v on v.org_id = w.org_id and v.id = w.live_version_id
         where w.org_id = $1 and w.key = $2`,
});
