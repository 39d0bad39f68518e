import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import { shownOwner } from '../workflow-people/index.ts';
import {
  type PersonRow,
  approvalsColumn,
  approvedVersionRow,
  contentRow,
  personOf,
  versionColumns,
} from '../workflows/index.ts';

const documentRow = approvedVersionRow.extend({
  key: z.string(),
  archived_at: z.date().nullable(),
  owner: z.custom<PersonRow>(),
  merged_at: z.date().nullable(),
  merged_by: z.custom<PersonRow | null>(),
  live_since: z.date().nullable(),
  contributors: z.custom<PersonRow[]>(),
  ...contentRow.shape,
});
export type DocumentRow = z.output<typeof documentRow>;

/**
 * Finds a version or draft by its number or its id. If both are null, finds the live version or, if there is none, the
 * draft that was changed last. `live_since` is null for versions that aren't live. Otherwise it is the time of the
 * merge, or the time when another version was last superseded, whichever is later. A version that goes live supersedes
 * the previous one, so this also covers rollbacks.
 */
export const findDocument = statement({
  name: 'find_document',
  params: ['orgId', 'key', 'number', 'id'],
  row: documentRow,
  text: `select ${versionColumns}, w.key, w.archived_at, ${shownOwner('founder')} as owner, v.metadata, v.steps, v.merged_at,
           case when merger.id is not null then ${personOf('merger')} end as merged_by,
           case when v.status = 'live' then greatest(v.merged_at, (
             select max(other.superseded_at) from workflow_versions other
             where other.org_id = v.org_id and other.workflow_id = v.workflow_id and other.id <> v.id
           )) end as live_since,
           coalesce((
             select json_agg(${personOf('u')} order by c.last_saved_at, u.id)
             from draft_contributors c join users u on u.id = c.user_id
             where c.org_id = v.org_id and c.draft_id = v.id
           ), '[]'::json) as contributors,
           ${approvalsColumn}
         from workflows w
         join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id
         join users creator on creator.id = v.created_by
         join users founder on founder.id = w.created_by
         left join users merger on merger.id = v.merged_by
         where w.org_id = $1 and w.key = $2 and w.deleted_at is null
           and case when $3::int is null and $4::uuid is null then v.status in ('live', 'draft', 'in_review')
                    else v.version = $3::int or v.id = $4::uuid end
         order by v.status = 'live' desc, v.updated_at desc, v.id desc
         limit 1`,
});

/** Finds a merged version by its number or its id, with its stored content, and whether it is in force. */
export const findCertifiedVersion = statement({
  name: 'find_certified_version',
  params: ['orgId', 'key', 'number', 'id'],
  row: z.object({
    id: z.uuid(),
    workflow_id: z.uuid(),
    version: z.number(),
    is_in_force: z.boolean(),
    ...contentRow.shape,
  }),
  text: `select v.id, v.workflow_id, v.version, v.metadata, v.steps,
                v.status = 'live' and w.archived_at is null as is_in_force
         from workflows w
         join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id
         where w.org_id = $1 and w.key = $2 and w.deleted_at is null and v.version is not null
           and (v.version = $3::int or v.id = $4::uuid)`,
});

/** The current time with microseconds, and the organization's time zone. */
export const findOrganizationClock = statement({
  name: 'find_organization_clock',
  params: ['orgId'],
  row: z.object({ now: z.string(), time_zone: z.string() }),
  text: `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now,
                coalesce(working_hours ->> 'timeZone', 'UTC') as time_zone
         from organizations where id = $1`,
});
