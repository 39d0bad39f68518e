import type { ApprovalMark, VersionState } from '@stet/domain/drafts';
import type { Step, WorkflowMetadata } from '@stet/domain/workflows';
import { z } from 'zod';

export type PersonRow = { id: string; name: string; email: string };
type Status = VersionState['state'];

/** What a version record is presented from; `v` is the version, `creator` the user who made it. */
export const versionColumns = `
  v.id, v.status, v.version, v.revision, v.content_hash, v.created_at, v.updated_at, v.steps_count, v.approvals as merged_with,
  json_build_object('id', creator.id, 'name', creator.name, 'email', creator.email) as created_by,
  (select count(*) from (
     select distinct on (r.reviewer_id) r.verdict, r.dismissed, r.content_hash
     from draft_reviews r where r.org_id = v.org_id and r.draft_id = v.id order by r.reviewer_id, r.at desc, r.id desc
   ) word where word.verdict = 'approved' and not word.dismissed and word.content_hash = v.content_hash)::int as approvals_count,
  (select count(*) from draft_comments c where c.org_id = v.org_id and c.draft_id = v.id)::int as comments_count`;

export const versionRow = z.object({
  id: z.uuid(),
  status: z.custom<Status>(),
  version: z.number().nullable(),
  revision: z.number(),
  content_hash: z.string(),
  created_at: z.date(),
  updated_at: z.date(),
  steps_count: z.number(),
  created_by: z.custom<PersonRow>(),
  approvals_count: z.number(),
  comments_count: z.number(),
  merged_with: z.custom<{ reviewer: PersonRow; marks: ApprovalMark[] }[]>().nullable(),
});
export type VersionRow = z.output<typeof versionRow>;

export const contentRow = z.object({ metadata: z.custom<WorkflowMetadata>(), steps: z.custom<Step[]>() });
