import { Refused, type ShellRefusal } from '../kernel/refused.ts';

const byConstraint: Record<string, ShellRefusal> = {
  users_email_taken: { code: 'email_taken' },
  identities_pkey: { code: 'sign_in_expired' },
  organizations_slug_taken: { code: 'slug_taken' },
  invitations_one_pending: { code: 'already_invited' },
  workflows_key_taken: { code: 'key_taken' },
};

// PostgreSQL can't store or convert a value, for example text with a NUL character.
const UNSTORABLE = /^22/;
// The disk is full.
const NO_ROOM = '53100';
// Raised by the SQL functions `hold_standing` and `hold_token_standing`.
const STANDING_LOST = 'ST403';
// Raised by the trigger `refuse_disabled_account`.
const ACCOUNT_DISABLED = 'ST410';
// Raised by the SQL function `lock_delegation`.
const DELEGATION_ENDED = 'ST411';
// Raised by the SQL function `audit_append`.
const ORGANIZATION_ENDS = 'ST412';
const CONNECTION_LOST = /^(?:08|57P0|25P03)/;
// Nothing was changed, and the same request may succeed later. Possible causes are a deadlock, a timeout of a statement
// or lock, or a lack of connections or memory.
const TRY_AGAIN = /^(?:40001|40P01|57014|55P03|53)/;
const SYSTEM_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']);

/** Returns the refusal for a known database failure. Null for any other error, for example a defect of Stet. */
export function refusalOf(error: unknown): Refused | null {
  if (!(error instanceof Error) || error instanceof Refused) return null;
  const { code, constraint } = error as Error & { code?: string; constraint?: string };
  const known = constraint === undefined ? undefined : byConstraint[constraint];
  if (known && code === '23505') return new Refused(known);
  if (code !== undefined && UNSTORABLE.test(code)) return new Refused({ code: 'malformed_request' });
  if (code === NO_ROOM) return new Refused({ code: 'disk_full' });
  if (code === ACCOUNT_DISABLED) return new Refused({ code: 'account_disabled' });
  if (code === STANDING_LOST) return new Refused({ code: 'forbidden' });
  if (code === DELEGATION_ENDED) return new Refused({ code: 'not_delegated' });
  if (code === ORGANIZATION_ENDS) return new Refused({ code: 'organization_ends' });
  const lost =
    (code !== undefined && (CONNECTION_LOST.test(code) || TRY_AGAIN.test(code) || SYSTEM_ERRORS.has(code))) ||
    /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
      error.message,
    );
  return lost ? new Refused({ code: 'database_unavailable' }) : null;
}
