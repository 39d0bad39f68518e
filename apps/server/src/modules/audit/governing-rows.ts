import { contentHash, type WorkflowContent } from '@stet/domain/workflows';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { Tx } from '../../kernel/database.ts';
import { digestOf } from '../../kernel/digest.ts';
import { type Rows, DERIVATIONS, objectionKey, objectionRow, recordedRequirements } from './derived-rows.ts';

type Reads = Pick<Tx, 'many' | 'maybeOne'>;
const text = z.string();

const listMembers = statement({
  name: 'list_governing_members',
  params: ['orgId'],
  row: z.object({ user_id: z.uuid(), role: text }),
  text: `select user_id, role from memberships where org_id = $1`,
});

const listGroups = statement({
  name: 'list_governing_groups',
  params: ['orgId'],
  row: z.object({
    id: z.uuid(),
    slug: text,
    name: text,
    user_id: z.uuid().nullable(),
    added_by: z.custom<string[] | null>(),
    added_at: z.date().nullable(),
  }),
  text: `select g.id, g.slug, g.name, m.user_id, m.added_by::text[] as added_by, m.added_at
         from groups g left join group_members m on m.org_id = g.org_id and m.group_id = g.id where g.org_id = $1`,
});

const listDelegations = statement({
  name: 'list_governing_delegations',
  params: ['orgId'],
  row: z.object({
    id: z.uuid(),
    from_user_id: z.uuid(),
    to_user_id: z.uuid(),
    starts_at: z.date(),
    ends_at: z.date(),
    ended_at: z.date().nullable(),
    kinds: z.custom<string[]>(),
    workflow_keys: z.custom<string[]>().nullable(),
  }),
  text: `select id, from_user_id, to_user_id, starts_at, ends_at, ended_at, kinds, workflow_keys from delegations where org_id = $1`,
});

const findPolicies = statement({
  name: 'find_governing_policies',
  params: ['orgId'],
  row: z.object({ policies: z.custom<Record<string, unknown>>() }),
  text: `select json_build_object('requiredApprovals', required_approvals, 'strict', strict, 'editorsMayHelp', editors_may_help,
                  'simulatedSteps', simulated_steps, 'workingHours', working_hours, 'resolvedComments', resolved_comments,
                  'passwordMinimum', password_minimum, 'reviewRoutes', review_routes) as policies
         from organizations where id = $1`,
});

const listEscalations = statement({
  name: 'list_governing_escalations',
  params: ['orgId'],
  row: z.object({ workflow_id: z.uuid(), tell: z.custom<string[]>(), again_after_minutes: z.number().nullable() }),
  text: `select workflow_id, tell, again_after_minutes from workflow_escalations where org_id = $1`,
});

const listWorkflowPeople = statement({
  name: 'list_governing_workflow_people',
  params: ['orgId'],
  row: z.object({
    workflow_id: z.uuid(),
    needs_reviewer: z.boolean(),
    part: z.enum(['owner', 'reviewer']).nullable(),
    user_id: z.uuid().nullable(),
    added_by: z.custom<string[] | null>(),
    added_at: z.date().nullable(),
  }),
  text: `select r.workflow_id, r.needs_reviewer, p.part, p.user_id, p.added_by::text[] as added_by, p.added_at
         from workflow_review_rules r
         left join workflow_people p on p.org_id = r.org_id and p.workflow_id = r.workflow_id where r.org_id = $1`,
});

const listWorkflows = statement({
  name: 'list_governing_workflows',
  params: ['orgId'],
  row: z.object({ key: text, live_version_id: z.uuid().nullable(), archived: z.boolean() }),
  text: `select key, live_version_id, archived_at is not null as archived from workflows where org_id = $1`,
});

const listReviews = statement({
  name: 'list_governing_reviews',
  params: ['orgId'],
  row: z.object({
    id: z.uuid(),
    draft_id: z.uuid(),
    reviewer_id: z.uuid(),
    on_behalf_of: z.uuid().nullable(),
    verdict: text,
    content_hash: text,
    comment: text,
    by_token: z.boolean(),
    dismissed: z.boolean(),
    at: z.date(),
  }),
  text: `select id, draft_id, reviewer_id, on_behalf_of, verdict, content_hash, comment, by_token, dismissed, at
         from draft_reviews where org_id = $1`,
});

const listOpenObjections = statement({
  name: 'list_governing_objections',
  params: ['orgId'],
  row: z.object({
    draft_id: z.uuid(),
    reviewer_id: z.uuid(),
    delegate_id: z.uuid().nullable(),
    content_hash: text,
    comment: text,
  }),
  text: `select draft_id, reviewer_id, delegate_id, content_hash, comment
         from draft_objections where org_id = $1 and ended_at is null order by at, id`,
});

const listContents = statement({
  name: 'list_governing_contents',
  params: ['orgId', 'after', 'limit'],
  row: z.object({
    id: z.uuid(),
    key: text,
    version: z.number().nullable(),
    requirements: z.custom<{ group: string }[]>(),
    content_hash: text,
    metadata: z.custom<WorkflowContent['metadata']>(),
    steps: z.custom<WorkflowContent['steps']>(),
  }),
  text: `select v.id, w.key, v.version, v.requirements, v.content_hash, v.metadata, v.steps
         from workflow_versions v join workflows w on w.org_id = v.org_id and w.id = v.workflow_id
         where v.org_id = $1 and v.id > $2 order by v.id limit $3`,
});

const listReviewedContents = statement({
  name: 'list_reviewed_contents',
  params: ['orgId', 'after', 'afterHash', 'limit'],
  row: z.object({
    draft_id: z.uuid(),
    content_hash: text,
    metadata: z.custom<WorkflowContent['metadata']>(),
    steps: z.custom<WorkflowContent['steps']>(),
  }),
  text: `select draft_id, content_hash, metadata, steps from draft_contents
         where org_id = $1 and (draft_id, content_hash) > ($2::uuid, $3) order by draft_id, content_hash limit $4`,
});

const listGoverningEvents = statement({
  name: 'list_governing_events',
  params: ['orgId', 'after', 'limit'],
  row: z.object({ seq: z.number(), actor: text, action: text, subject_id: text, payload: text.nullable() }),
  text: `select seq, actor, action, subject_id, payload from audit_events
         where org_id = $1 and seq > $2 and action in (${Object.keys(DERIVATIONS)
           .map((action) => `'${action}'`)
           .join(', ')}) order by seq limit $3`,
});

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const PAGE = 100;

/** The hash computed from stored content, or `none` if the content is invalid. */
function hashOf({ metadata, steps }: WorkflowContent): string {
  try {
    return contentHash({ metadata, steps });
  } catch {
    return 'none';
  }
}

/** The governing rows as they are stored. */
export async function storedRows(tx: Reads, orgId: string): Promise<Rows> {
  const rows: Rows = new Map();
  const [members, groups, delegations, policies, escalations, people, workflows, reviews, objections] =
    await Promise.all([
      tx.many(listMembers, { orgId }),
      tx.many(listGroups, { orgId }),
      tx.many(listDelegations, { orgId }),
      tx.maybeOne(findPolicies, { orgId }),
      tx.many(listEscalations, { orgId }),
      tx.many(listWorkflowPeople, { orgId }),
      tx.many(listWorkflows, { orgId }),
      tx.many(listReviews, { orgId }),
      tx.many(listOpenObjections, { orgId }),
    ]);
  for (const { user_id, role } of members) rows.set(`member:${user_id}`, role);
  for (const { id, slug, name, user_id: userId, added_by: by, added_at: at } of groups) {
    const { members: others } = (rows.get(`group:${id}`) ?? {}) as { members?: object };
    const member = userId !== null && { [userId]: { by, at: at?.toISOString() } };
    rows.set(`group:${id}`, { slug, name, members: { ...others, ...member } });
  }
  for (const row of delegations)
    rows.set(`delegation:${row.id}`, {
      from: row.from_user_id,
      to: row.to_user_id,
      starts: row.starts_at.toISOString(),
      ends: row.ends_at.toISOString(),
      kinds: row.kinds,
      workflowKeys: row.workflow_keys,
      endedAt: row.ended_at?.toISOString() ?? null,
    });
  for (const [name, value] of Object.entries(policies?.policies ?? {})) rows.set(`policy:${name}`, value);
  for (const { workflow_id, tell, again_after_minutes } of escalations)
    rows.set(`escalation:${workflow_id}`, { tell, againAfterMinutes: again_after_minutes });
  for (const {
    workflow_id: id,
    needs_reviewer: needsReviewer,
    part,
    user_id: userId,
    added_by: by,
    added_at,
  } of people) {
    const { owners, reviewers } = (rows.get(`people:${id}`) ?? {}) as { owners?: object; reviewers?: object };
    const member = userId !== null && { [userId]: { by, at: added_at?.toISOString() } };
    rows.set(`people:${id}`, {
      owners: { ...owners, ...(part === 'owner' && member) },
      reviewers: { ...reviewers, ...(part === 'reviewer' && member) },
      needsReviewer,
    });
  }
  for (const { key, live_version_id, archived } of workflows) {
    if (live_version_id) rows.set(`live:${key}`, live_version_id);
    if (archived) rows.set(`archived:${key}`, true);
  }
  for (const row of reviews)
    rows.set(`review:${row.id}`, {
      draft: row.draft_id,
      reviewer: row.reviewer_id,
      ...(row.on_behalf_of !== null && { onBehalfOf: row.on_behalf_of }),
      verdict: row.verdict,
      hash: row.content_hash,
      comment: digestOf(row.comment),
      byToken: row.by_token,
      at: row.at.toISOString(),
      dismissed: row.dismissed,
    });
  for (const {
    draft_id: draft,
    reviewer_id: reviewer,
    delegate_id: delegate,
    content_hash: hash,
    comment,
  } of objections)
    rows.set(objectionKey({ draft, reviewer, hash }), objectionRow({ comment, delegate }));
  for (let after = FIRST_ID; ;) {
    const page = await tx.many(listContents, { orgId, after, limit: PAGE });
    for (const { id, key, version, requirements, content_hash, ...content } of page) {
      const hash = hashOf(content);
      // If the stored hash doesn't match the content, this value equals that of no event.
      rows.set(`content:${id}`, {
        key,
        hash: hash === content_hash ? hash : `${hash}, stored as ${content_hash}`,
        version,
      });
      if (version === null) rows.set(`requirements:${id}`, recordedRequirements(requirements));
    }
    const last = page.at(-1);
    if (!last) break;
    after = last.id;
  }
  return rows;
}

/** Describes the first stored reviewed content that was changed after its review. Null if there is none. */
export async function findAlteredReviewedContent(tx: Reads, orgId: string): Promise<string | null> {
  for (let [after, afterHash] = [FIRST_ID, '']; ;) {
    const page = await tx.many(listReviewedContents, { orgId, after, afterHash, limit: PAGE });
    const altered = page.find((row) => hashOf(row) !== row.content_hash);
    if (altered) return `The reviewed content ${altered.content_hash} of draft ${altered.draft_id} was changed`;
    const last = page.at(-1);
    if (!last) return null;
    [after, afterHash] = [last.draft_id, last.content_hash];
  }
}

/** Derives the governing rows from the events after the number `behind`. */
export async function rowsByEvents(tx: Reads, orgId: string, behind: number): Promise<Rows> {
  const rows: Rows = new Map();
  for (let after = behind; ;) {
    const page = await tx.many(listGoverningEvents, { orgId, after, limit: 1000 });
    for (const { actor, action, subject_id: subjectId, payload } of page) {
      const record = JSON.parse(payload ?? '{}') as {
        actor?: { personId?: string; onBehalfOf?: { id: string } };
        data?: Record<string, unknown>;
      };
      const onBehalfOf = record.actor?.onBehalfOf?.id ?? null;
      const personId = record.actor?.personId ?? null;
      DERIVATIONS[action]?.(rows, { actor, personId, onBehalfOf, action, subjectId, data: record.data ?? {} });
    }
    const last = page.at(-1);
    if (!last) return rows;
    after = last.seq;
  }
}
