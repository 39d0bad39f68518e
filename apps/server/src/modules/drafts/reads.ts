/** What other modules may use of drafts: adding one to a workflow, and the check that its content could run. */
export { addDraft } from './add-draft.ts';
export { graphProblems } from './check-content.ts';
export { findDraft, findReviewPolicy, lockReviewPolicy } from './drafts.sql.ts';
