import type { User, WorkflowSummary } from '@stet/contract';
import type { Permission } from '../../../lib/session/signed-in.ts';

/**
 * What the older client lets a person do (specification, section 5): sample drafts are for editors, merging for reviewers. It
 * looks at the role alone, the account's or that in the organization; what the server grants has to hold as well. Answers why
 * not, undefined where it may.
 */
export const sampleProblem = (user: User): string | undefined =>
  problemOf(user, 'editor', 'draft.edit', 'Sample drafts are made by editors');

export const mergeProblem = (user: User): string | undefined =>
  problemOf(user, 'reviewer', 'draft.merge', 'Drafts are merged by reviewers');

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

/** Whoever may act on any step does so here; the others do their own where it is named as theirs. */
export const completeProblem = (user: User): string | undefined =>
  user.orgPermissions.includes('step.act_any') ? undefined : 'Steps of yours are completed in the run itself';

const ARCHIVED = 'This workflow is archived';

/** Why a person can't approve a draft of a workflow; the rest the server decides, for it knows who worked on it. */
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
