export { applyRemoval } from './remove-members.ts';
export { leaveGroups } from './save-group.ts';
export { refuseUnknownGroups } from './unknown-groups.ts';
