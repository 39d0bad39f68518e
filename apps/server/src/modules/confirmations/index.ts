export {
  ALONE,
  type Proposal,
  type Proposed,
  addConfirmation,
  askToConfirm,
  proposerOf,
  propose,
  removalSubject,
} from './propose.ts';
export { assertEmergency, begunEmergency, recordEmergency } from './emergency.ts';
export { type KnownPeople, knownPeople } from './people.sql.ts';
export {
  type ConfirmationRow,
  findWaiting,
  lockConfirmations,
  replaceWaiting,
  replaceWaitingForGroup,
  replaceWaitingForWorkflow,
} from './confirmations.sql.ts';
