export { revokeInvitationsOfDisabled, revokeSentInvitations } from './revoke-sent-invitations.ts';
