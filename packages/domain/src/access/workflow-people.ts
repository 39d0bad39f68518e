/** The most owners that a workflow can have, and the most reviewers. */
export const MAX_WORKFLOW_PEOPLE = 20;

/**
 * The reviewers of a workflow, by user id. `needsReviewer`: one of the reviewers has to approve each draft. It stays
 * true when the last reviewer leaves the organization. Otherwise, removing a member would remove the requirement.
 */
export type WorkflowReviewers = { reviewers: readonly string[]; needsReviewer: boolean };

/** True if a change of a workflow's reviewers weakens its reviews; a second manager then has to confirm it. */
export const weakensReviewers = ({ reviewers, needsReviewer }: WorkflowReviewers, after: readonly string[]): boolean =>
  reviewers.some((id) => !after.includes(id)) || (needsReviewer && after.length === 0);
