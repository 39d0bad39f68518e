export * from './addresses.ts';
export * from './approval-marks.ts';
export * from './certificate-words.ts';
export {
  CONTROL_LOSS_KINDS,
  controlLosses,
  controlLossesOf,
  controlLossSentence,
  inSentences,
  printedLossSentence,
} from './control-loss.ts';
export type { ApprovalLoss, ControlLoss, ControlLossKind, NamedStep, RoleLoss, LossInWords } from './control-loss.ts';
export * from './diff.ts';
export * from './diff-rows.ts';
export * from './direction-controls.ts';
export * from './impact.ts';
export * from './in-force.ts';
export * from './merge.ts';
export * from './policy.ts';
export * from './refusals.ts';
export { relationsAmong } from './relations.ts';
export * from './roll-back.ts';
export * from './resolve-conflicts.ts';
export * from './state.ts';
export * from './name-steps.ts';
export { inDocumentOrder, movedIds, removedBehind } from './steps-order.ts';
export * from './who-counts.ts';
