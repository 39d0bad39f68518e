type Failure = { code?: string; message?: string; errors?: Failure[] };

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'There is no server at the address in DATABASE_URL',
  ENOTFOUND: "The host in DATABASE_URL can't be found",
  EAI_AGAIN: "The host in DATABASE_URL can't be found",
  ETIMEDOUT: 'PostgreSQL at DATABASE_URL didn’t respond in time',
  EHOSTUNREACH: "The host in DATABASE_URL can't be reached",
  '28P01': 'PostgreSQL rejected the user or password in DATABASE_URL',
  '28000': 'PostgreSQL rejected the user in DATABASE_URL',
  '3D000': "The database named in DATABASE_URL doesn't exist",
  '42501':
    "The user in DATABASE_URL doesn't have the rights needed to start: it has to own the database and be allowed to create roles",
};

/**
 * Returns the reason why the PostgreSQL of `DATABASE_URL` can't be used, as a sentence for the operator. Null for any
 * failure that isn't listed above.
 */
export function whyUnreachable(error: unknown): string | null {
  const failure = error as Failure;
  // A name with several addresses produces one failure for each of them.
  const { code, message } = failure.errors?.[0] ?? failure;
  const sentence = code === undefined ? undefined : SENTENCES[code];
  return sentence ? `${sentence} (${message}).` : null;
}
