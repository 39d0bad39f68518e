export { addDraft } from './add-draft.ts';
export { graphProblems } from './check-content.ts';
export { findDraft, findReviewPolicy, lockReviewPolicy } from './drafts.sql.ts';
