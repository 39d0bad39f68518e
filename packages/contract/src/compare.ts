import { DIFF_LIMITS } from '@stet/domain/defaults';
import { z } from 'zod';
import { diff } from './draft-diff.ts';
import type { Routes } from './route.ts';
import { contentFields, workflowParams } from './workflow-content.ts';
import { versionParams, versionRecord } from './workflows.ts';

const compared = versionRecord.extend({ metadata: contentFields.metadata });
/** The changes from one version or draft of a workflow to another. */
export const comparison = diff.omit({ against: true, revision: true }).extend({
  from: compared,
  to: compared,
  /** The titles of the steps that the shown changes name, by id: from `to`, or from `from` if `to` lacks the step. */
  titles: z.record(z.string(), z.string()),
});
export type Comparison = z.infer<typeof comparison>;

const { version } = versionParams.shape;

export const compareRoutes = {
  'GET /api/workflows/{key}/compare': {
    access: 'workflow.read',
    summary: 'Changes between any two versions or drafts, by number or id',
    params: workflowParams,
    query: z.strictObject({
      from: version,
      to: version,
      limit: z.coerce.number().int().min(1).max(DIFF_LIMITS.most).default(DIFF_LIMITS.detailed),
    }),
    ok: comparison,
  },
} satisfies Routes;
