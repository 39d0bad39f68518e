export { applyPeople, leaveWorkflows } from './apply-people.ts';
export { type NamedReviewer, type WorkflowPeopleRow, findWorkflowPeople, shownOwner } from './workflow-people.sql.ts';
