import type { User, WorkflowSummary } from '@stet/contract';
import type { Permission } from '../../../lib/session/signed-in.ts';

/**
 * The reason why the older client doesn't allow an action, or undefined if it does (specification, section 5): only
 * editors create sample drafts, and only reviewers merge. These rules accept either the account's role or the role in
 * the organization. The server's permissions also apply.
 */
export const sampleProblem = (user: User): string | undefined =>
  problemOf(user, 'editor', 'draft.edit', 'Only editors can create sample drafts');

export const mergeProblem = (user: User): string | undefined =>
  problemOf(
    user,
    'reviewer',
    'draft.merge',
    user.orgPermissions.includes('draft.merge')
      ? 'Only reviewers can merge drafts on this page. You can merge on the review page.'
      : 'Only reviewers can merge drafts',
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

/** Only people who can act on steps without names complete steps on this page. Others complete theirs in the run. */
export const completeProblem = (user: User): string | undefined =>
  user.orgPermissions.includes('step.act_any') ? undefined : 'Complete your own steps on the run’s page';

const ARCHIVED = 'This workflow is archived';

/** The reason why a person can't approve a draft of a workflow. The server checks the contributors. */
export const approveProblem = (user: User, status: WorkflowSummary['status']): string | undefined =>
  status === 'archived'
    ? ARCHIVED
    : user.orgPermissions.includes('draft.review')
      ? undefined
      : 'Only reviewers can approve drafts';

export const commentProblem = (user: User, status: WorkflowSummary['status']): string | undefined =>
  status === 'archived'
    ? ARCHIVED
    : user.orgPermissions.includes('draft.comment')
      ? undefined
      : 'Viewers can’t comment';
