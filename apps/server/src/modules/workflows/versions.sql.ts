import { statement } from '../../db/statement.ts';

export const setVersionStatus = statement({
  name: 'set_version_status',
  params: ['orgId', 'id', 'status'],
  text: `update workflow_versions
         set status = $3, superseded_at = case when $3 = 'superseded' then now() end
         where org_id = $1 and id = $2`,
});
