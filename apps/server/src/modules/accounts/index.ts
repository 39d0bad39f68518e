export { proveAccount } from './accounts.sql.ts';
