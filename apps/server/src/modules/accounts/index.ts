export { closeResets, endOtherSessions, proveAccount } from './accounts.sql.ts';
export { findSignUp } from './may-sign-up.ts';
export { organizationsOf } from './describe-user.ts';
export { assertPasswordsAllowed } from './password-sign-in.ts';
