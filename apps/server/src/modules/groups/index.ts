export { leaveGroups } from './save-group.ts';
