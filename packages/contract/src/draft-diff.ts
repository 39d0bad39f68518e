import { DIFF_LIMITS } from '@stet/domain/defaults';
import { ADDRESS_WARNINGS, CONTROL_LOSS_KINDS, FINDING_CODES, FINDING_EFFECTS } from '@stet/domain/drafts';
import { INTEGRATIONS } from '@stet/domain/steps';
import { z } from 'zod';
import { id, moment } from './shared.ts';
import { step } from './workflow-content.ts';

const fieldChange = z.object({ before: z.unknown(), after: z.unknown() });

export const diffQuery = z.strictObject({
  against: z
    .enum(['live', 'base', 'approved', 'reviewed'])
    .default('base')
    .describe('The live version, the draft’s base version, or the content that the caller last approved or reviewed'),
  limit: z.coerce.number().int().min(1).max(DIFF_LIMITS.most).default(DIFF_LIMITS.detailed),
});
export const reviewedContentQuery = z.strictObject({
  reviewId: id.describe('A review by the caller: `against.reviewId` of the changes'),
});
export const reviewedContent = z.object({
  at: moment.describe('When the caller approved or reviewed the content'),
  steps: z.array(step),
});

/** The changes in a draft (specification, section 3, diff). */
export const diff = z.object({
  /** The content that the draft is compared with. */
  against: z.object({
    what: diffQuery.shape.against.unwrap(),
    version: z.number().int().nullable().describe('The number of the live or base version; null without one'),
    at: moment.nullable().describe('When the caller approved or reviewed the content; null for a version'),
    reviewId: id.nullable().describe('The caller’s review; null for a version'),
  }),
  /** The compared revision of the draft. */
  revision: z.number().int(),
  summary: z.object({ added: z.array(z.string()), removed: z.array(z.string()), modified: z.array(z.string()) }),
  /** The number of changed steps; `detailed` has the first of them in document order. */
  total: z.number().int(),
  detailed: z.array(
    z.object({
      id: z.string(),
      type: z.enum(['added', 'removed', 'modified']),
      changes: z.record(z.string(), fieldChange).optional(),
      value: z.unknown().optional(),
      /** The current title of a modified step. */
      title: z.string().optional(),
      /** The nearest remaining step before a removed step; null if there is none. */
      behind: z.string().nullable().optional(),
      /** The steps that lead to an added step, or led to a removed one. */
      previous: z.array(z.string()).optional(),
    }),
  ),
  metadata: z.record(z.string(), fieldChange),
});
export type Diff = z.infer<typeof diff>;

/** The meaning of a change for runs. */
export const draftFinding = z.object({
  code: z.enum(FINDING_CODES).describe('unclassified: the comparison failed, so it may be any of the others'),
  stepId: z.string().nullable().describe('Null if it concerns the whole workflow'),
  title: z.string(),
  effect: z
    .enum(FINDING_EFFECTS)
    .describe('loss: less control. unknown: only a person can judge it. gain: more control. neutral: neither'),
  before: z.unknown(),
  after: z.unknown(),
  sentence: z.string().describe('For example: CFO approval is no longer required before Pay'),
  requires: z.array(z.string()).describe('Slugs of the groups that have to approve it'),
});
export type DraftFinding = z.infer<typeof draftFinding>;

const stepIds = z.array(z.string());
const milliseconds = z.number().int().nullable();
const lossOf = <K extends string, More extends z.ZodRawShape>(kind: K, more: More) =>
  z.object({ stepId: z.string(), title: z.string(), kind: z.literal(kind), ...more });
/**
 * How a draft affects people who run the workflow, compared with its base, or with the live version if it has no base.
 */
export const impact = z.object({
  controlLosses: z
    .array(
      z.object({
        kind: z.enum(CONTROL_LOSS_KINDS),
        stepId: z.string(),
        title: z.string(),
        sentence: z.string().describe('For example: CFO approval is no longer required before Pay'),
      }),
    )
    .describe('Controls that the draft removes, the most severe first'),
  warnings: z
    .array(
      z.object({
        kind: z.enum(ADDRESS_WARNINGS),
        stepId: z.string(),
        title: z.string(),
        field: z.enum(['assignee', 'recipients']),
        address: z.string(),
      }),
    )
    .describe('Suspicious addresses: letters from several scripts, or assignees who aren’t members'),
  workflows: z.number().int(),
  steps: z.object({
    added: z.number().int(),
    removed: z.number().int(),
    modified: z.number().int(),
    before: z.number().int(),
    after: z.number().int(),
  }),
  integrations: z.array(
    z.object({ integration: z.enum(INTEGRATIONS), change: z.enum(['added', 'removed', 'changed']), stepIds }),
  ),
  sla: z.object({
    beforeMs: milliseconds,
    afterMs: milliseconds,
    loosened: z.array(
      z.object({
        stepId: z.string(),
        title: z.string(),
        before: z.object({ text: z.string(), ms: z.number().int() }),
        after: z.object({ text: z.string(), ms: milliseconds }),
      }),
    ),
  }),
  rolesRemoved: z.array(z.object({ role: z.string(), stepIds })),
  approvalsRemoved: z.array(
    z.discriminatedUnion('kind', [
      lossOf('approval_removed', { approvers: z.number().int() }),
      lossOf('fewer_approvers', { before: z.number().int(), after: z.number().int() }),
      lossOf('separation_dropped', {}),
      lossOf('sign_off_dropped', {}),
    ]),
  ),
  /** The number of open runs by version. */
  openRuns: z.array(z.object({ version: z.number().int(), count: z.number().int() })),
});
export type DraftImpact = z.infer<typeof impact>;
