export { proveAccount } from './accounts.sql.ts';
export { organizationsOf } from './describe-user.ts';
