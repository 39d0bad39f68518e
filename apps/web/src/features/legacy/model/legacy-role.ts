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
