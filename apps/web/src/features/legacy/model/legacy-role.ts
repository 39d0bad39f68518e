import type { User, WorkflowSummary } from '@stet/contract';
import type { Permission } from '../../../lib/session/signed-in.ts';

/**
 * Permissions in the older client (specification, section 5): sample drafts are for editors, merging is for reviewers.
 * It checks only the role, of the account or in the organization; the server's permissions apply too. Returns the
 * reason for a refusal, or undefined if allowed.
 */
export const sampleProblem = (user: User): string | undefined =>
  problemOf(user, 'editor', 'draft.edit', 'Sample drafts are made by editors');

export const mergeProblem = (user: User): string | undefined =>
  problemOf(
    user,
    'reviewer',
    'draft.merge',
    user.orgPermissions.includes('draft.merge')
      ? 'On this page only reviewers merge drafts. You can merge on the review page.'
      : 'Drafts are merged by reviewers',
  );

function problemOf(
  { role, orgRole, orgPermissions }: User,
  wanted: 'editor' | 'reviewer',
  permission: Permission,
  why: string,
): string | undefined {
  const has = (role === wanted || orgRole === wanted) && orgPermissions.includes(permission);
  return has ? undefined : why;
}

export const startProblem = (user: User): string | undefined =>
  user.orgPermissions.includes('run.start') ? undefined : 'Viewers can’t start runs';

/** People who may act on any step can do so here; others act on their own steps where these are assigned to them. */
export const completeProblem = (user: User): string | undefined =>
  user.orgPermissions.includes('step.act_any') ? undefined : 'Steps of yours are completed in the run itself';

const ARCHIVED = 'This workflow is archived';

/** Why a person can't approve a draft of a workflow; the server checks the rest, because it knows the contributors. */
export const approveProblem = (user: User, status: WorkflowSummary['status']): string | undefined =>
  status === 'archived'
    ? ARCHIVED
    : user.orgPermissions.includes('draft.review')
      ? undefined
      : 'Drafts are approved by reviewers';

export const commentProblem = (user: User, status: WorkflowSummary['status']): string | undefined =>
  status === 'archived'
    ? ARCHIVED
    : user.orgPermissions.includes('draft.comment')
      ? undefined
      : 'Viewers can’t comment';
