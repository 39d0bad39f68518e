export {
  type Delegator,
  type ReviewDelegate,
  delegationOf,
  delegatorFor,
  lentPermissions,
  listDelegatesOfReviews,
  listDelegators,
} from './delegators.ts';
export { leaveDelegations } from './save-delegation.ts';
