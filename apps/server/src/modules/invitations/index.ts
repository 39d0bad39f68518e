export { revokeSentInvitations } from './revoke-sent-invitations.ts';
