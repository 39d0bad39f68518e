import type { Mention } from '@stet/domain/notifications';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { PersonRow } from '../workflows/index.ts';

const commentRow = z.object({
  id: z.uuid(),
  author: z.custom<PersonRow>(),
  body: z.string(),
  mentions: z.custom<Mention[]>(),
  step_id: z.string().nullable(),
  at: z.date(),
  resolved_at: z.date().nullable(),
  resolved_by: z.custom<PersonRow | null>(),
});
export type CommentRow = z.output<typeof commentRow>;

const comment = `
  select c.id, json_build_object('id', u.id, 'name', u.name, 'email', u.email) as author, c.body, c.mentions, c.step_id, c.at, c.resolved_at,
         (select json_build_object('id', r.id, 'name', r.name, 'email', r.email) from users r where r.id = c.resolved_by) as resolved_by
  from draft_comments c join users u on u.id = c.author_id
  where c.org_id = $1 and c.draft_id = $2`;

export const listComments = statement({
  name: 'list_comments',
  params: ['orgId', 'draftId'],
  row: commentRow,
  text: `${comment} order by c.at, c.id`,
});

/** The unresolved comments on a draft. `step_id` is null for a comment on the whole draft. */
export const listUnresolvedComments = statement({
  name: 'list_unresolved_comments',
  params: ['orgId', 'draftId'],
  row: z.object({ step_id: z.string().nullable() }),
  text: `select step_id from draft_comments where org_id = $1 and draft_id = $2 and resolved_at is null order by at, id`,
});

export const findComment = statement({
  name: 'find_comment',
  params: ['orgId', 'draftId', 'commentId'],
  row: commentRow,
  text: `${comment} and c.id = $3`,
});

/**
 * Finds a step in the version that a draft is based on, because people can also comment on a step that the draft
 * removes.
 */
export const findBaseStep = statement({
  name: 'find_base_step',
  params: ['orgId', 'draftId', 'stepId'],
  row: z.object({ id: z.string() }),
  text: `select step ->> 'id' as id
         from workflow_versions v
         join workflow_versions base on base.org_id = v.org_id and base.id = v.base_version_id
         cross join json_array_elements(base.steps) step
         where v.org_id = $1 and v.id = $2 and step ->> 'id' = $3`,
});

export const insertComment = statement({
  name: 'insert_comment',
  params: ['orgId', 'id', 'draftId', 'authorId', 'body', 'stepId', 'mentions'],
  text: `insert into draft_comments (org_id, id, draft_id, author_id, body, step_id, mentions) values ($1, $2, $3, $4, $5, $6, $7::jsonb)`,
});

/** Marks a comment as resolved by a person, or reopens it if `resolvedBy` is null. */
export const setCommentResolved = statement({
  name: 'set_comment_resolved',
  params: ['orgId', 'id', 'resolvedBy'],
  text: `update draft_comments set resolved_by = $3, resolved_at = case when $3::uuid is null then null else now() end
         where org_id = $1 and id = $2`,
});
