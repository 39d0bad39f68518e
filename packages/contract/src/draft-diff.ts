import { DIFF_LIMITS } from '@stet/domain/defaults';
import { ADDRESS_WARNINGS, CONTROL_LOSS_KINDS, INTEGRATIONS } from '@stet/domain/drafts';
import { z } from 'zod';
import { moment } from './shared.ts';

const fieldChange = z.object({ before: z.unknown(), after: z.unknown() });

export const diffQuery = z.strictObject({
  against: z
    .enum(['live', 'base', 'approved', 'reviewed'])
    .default('base')
    .describe('The live version, what the draft began from, or what the one who asks last approved or reviewed'),
  limit: z.coerce.number().int().min(1).max(DIFF_LIMITS.most).default(DIFF_LIMITS.detailed),
});
/** What a draft changes (specification, section 3, diff). */
export const diff = z.object({
  /** What the draft is compared with; `version` and `at` are null where it has none. */
  against: z.object({
    what: diffQuery.shape.against.unwrap(),
    version: z.number().int().nullable(),
    at: moment.nullable(),
  }),
  /** The revision of the draft that was compared. */
  revision: z.number().int(),
  summary: z.object({ added: z.array(z.string()), removed: z.array(z.string()), modified: z.array(z.string()) }),
  /** How many steps changed; `detailed` has the first of them in document order. */
  total: z.number().int(),
  detailed: z.array(
    z.object({
      id: z.string(),
      type: z.enum(['added', 'removed', 'modified']),
      changes: z.record(z.string(), fieldChange).optional(),
      value: z.unknown().optional(),
      /** Of a modified step: its title now. */
      title: z.string().optional(),
      /** Of a removed step: the step that it came behind, null at the beginning. */
      behind: z.string().nullable().optional(),
      /** Of an added or a removed step: the steps that lead to it, or led. */
      previous: z.array(z.string()).optional(),
    }),
  ),
  metadata: z.record(z.string(), fieldChange),
});
export type Diff = z.infer<typeof diff>;

const stepIds = z.array(z.string());
const milliseconds = z.number().int().nullable();
const lossOf = <K extends string, More extends z.ZodRawShape>(kind: K, more: More) =>
  z.object({ stepId: z.string(), title: z.string(), kind: z.literal(kind), ...more });
/** What a draft means to those who run the workflow; against its base, or the live version where it has none. */
export const impact = z.object({
  controlLosses: z
    .array(
      z.object({
        kind: z.enum(CONTROL_LOSS_KINDS),
        stepId: z.string(),
        title: z.string(),
        sentence: z.string().describe('Such as: CFO approval no longer stands before Pay'),
      }),
    )
    .describe('Controls that the draft takes away, the most severe first'),
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
    .describe('Addresses to look at twice: letters of several scripts, assignees who are no members'),
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
  /** Runs under way, by the version that they stay on. */
  openRuns: z.array(z.object({ version: z.number().int(), count: z.number().int() })),
});
export type DraftImpact = z.infer<typeof impact>;
