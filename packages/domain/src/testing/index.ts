// Test support for the rooms that save what the domain decides; nothing but tests imports it.
export { commandOf, wish } from '../runs/wish.arbitrary.ts';
export { workflowOf } from '../workflows/workflow.arbitrary.ts';
