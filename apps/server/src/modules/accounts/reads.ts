/** What other modules may use of accounts: proving one. */
export { proveAccount } from './accounts.sql.ts';
