export { type Delegator, delegationOf, delegatorFor, lentPermissions, listDelegators } from './delegators.ts';
export { leaveDelegations } from './save-delegation.ts';
