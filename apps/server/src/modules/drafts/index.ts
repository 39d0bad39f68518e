export { addDraft } from './add-draft.ts';
export { raiseFindingsAlarm } from './draft-findings.ts';
export { enqueueUpdateOfRequirements, updateRequirements } from './update-requirements.job.ts';
export { formProblems, graphProblems } from './check-content.ts';
export { findDraft, findReviewPolicy, listRoutedGroups, lockReviewPolicy } from './drafts.sql.ts';
