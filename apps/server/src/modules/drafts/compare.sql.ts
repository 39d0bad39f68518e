import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import { contentRow } from '../workflows/index.ts';

const versionContentRow = contentRow.extend({ version: z.number().nullable() });

/** The base of a draft, with its version number. */
export const findBaseContent = statement({
  name: 'find_base_content',
  params: ['orgId', 'key', 'draftId'],
  row: versionContentRow,
  text: `select base.version, base.metadata, base.steps
         from workflows w
         join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id
         join workflow_versions base on base.org_id = v.org_id and base.id = v.base_version_id
         where w.org_id = $1 and w.key = $2 and v.id = $3`,
});

/** The live version of a workflow, with its version number. */
export const findLiveContent = statement({
  name: 'find_live_content',
  params: ['orgId', 'key'],
  row: versionContentRow,
  text: `select live.version, live.metadata, live.steps
         from workflows w join workflow_versions live on live.org_id = w.org_id and live.id = w.live_version_id
         where w.org_id = $1 and w.key = $2`,
});

/** The newest earlier version with the same content as a draft, other than its base. */
export const findRestoredVersion = statement({
  name: 'find_restored_version',
  params: ['orgId', 'key', 'draftId'],
  row: z.object({ version: z.number() }),
  text: `select earlier.version
         from workflows w
         join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id
         join workflow_versions earlier on earlier.org_id = v.org_id and earlier.workflow_id = v.workflow_id
           and earlier.content_hash = v.content_hash and earlier.id is distinct from v.base_version_id
           and earlier.version is not null and (v.version is null or earlier.version < v.version)
         where w.org_id = $1 and w.key = $2 and v.id = $3
         order by earlier.version desc limit 1`,
});

const reviewedContentRow = contentRow.extend({ id: z.uuid(), at: z.date() });
const reviewedContents = `
  select r.id, r.at, c.metadata, c.steps
  from workflows w
  join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id
  join draft_reviews r on r.org_id = v.org_id and r.draft_id = v.id
  join draft_contents c on c.org_id = r.org_id and c.draft_id = r.draft_id and c.content_hash = r.content_hash
  where w.org_id = $1 and w.key = $2 and v.id = $3 and r.reviewer_id = $4`;

/**
 * The content of a draft when a person last reviewed it. With a verdict, considers only reviews with this verdict that
 * the person hasn't withdrawn.
 */
export const findReviewedContent = statement({
  name: 'find_reviewed_content',
  params: ['orgId', 'key', 'draftId', 'userId', 'verdict'],
  row: reviewedContentRow,
  text: `${reviewedContents} and ($5::text is null or (r.verdict = $5 and r.withdrawn_at is null))
         order by r.at desc, r.id desc limit 1`,
});

/** The content of a draft in one of a person's reviews. */
export const findContentOfReview = statement({
  name: 'find_content_of_review',
  params: ['orgId', 'key', 'draftId', 'userId', 'reviewId'],
  row: reviewedContentRow,
  text: `${reviewedContents} and r.id = $5`,
});

/** The number of open runs for each version of a workflow. */
export const countOpenRuns = statement({
  name: 'count_open_runs',
  params: ['orgId', 'key'],
  row: z.object({ version: z.number(), count: z.number() }),
  text: `select r.version, count(*)::int as count
         from workflows w join runs r on r.org_id = w.org_id and r.workflow_id = w.id
         where w.org_id = $1 and w.key = $2 and r.status in ('running', 'paused', 'failed')
         group by r.version order by r.version desc`,
});
