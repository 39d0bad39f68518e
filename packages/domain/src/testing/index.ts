// Test support for packages that store or show the domain's decisions. Only tests import it.
export { Scenario } from '../runs/run.scenario.ts';
export { commandOf, onwardCommand, intendedCommand, type IntendedCommand } from '../runs/intended-command.arbitrary.ts';
export { stepOf, stepsOf, workflowOf } from '../workflows/workflow.arbitrary.ts';
