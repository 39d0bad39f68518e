/** What other modules may use: proposing a change to a second manager, and who people are to the rules about them. */
export { ALONE, type Proposal, type Proposed, askToConfirm, notifyAlone, proposerOf, propose } from './propose.ts';
export { assertEmergency, begunEmergency, recordEmergency } from './emergency.ts';
export { type KnownPeople, knownPeople } from './people.sql.ts';
export { type ConfirmationRow, findWaiting, replaceWaiting } from './confirmations.sql.ts';
