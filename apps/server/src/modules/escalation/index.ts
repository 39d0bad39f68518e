export { applyEscalation } from './apply-escalation.ts';
export { findEscalationOfRun } from './escalation.sql.ts';
