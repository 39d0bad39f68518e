type Failure = { code?: string; message?: string; errors?: Failure[] };

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'Nothing answers at the address of DATABASE_URL',
  ENOTFOUND: 'The host of DATABASE_URL is not known',
  EAI_AGAIN: 'The host of DATABASE_URL is not known',
  ETIMEDOUT: 'PostgreSQL at DATABASE_URL does not answer in time',
  EHOSTUNREACH: 'The host of DATABASE_URL cannot be reached',
  '28P01': 'PostgreSQL refuses the user or the password of DATABASE_URL',
  '28000': 'PostgreSQL refuses the user of DATABASE_URL',
  '3D000': 'PostgreSQL has no database of the name in DATABASE_URL',
  '42501':
    'The user of DATABASE_URL may not do what the start needs: it has to own the database and to be allowed to create roles',
};

/** Why the PostgreSQL of `DATABASE_URL` can't be used, as a sentence for who starts the server; null for any other failure. */
export function whyUnreachable(error: unknown): string | null {
  const failure = error as Failure;
  // A name with several addresses fails once for each of them.
  const { code, message } = failure.errors?.[0] ?? failure;
  const sentence = code === undefined ? undefined : SENTENCES[code];
  return sentence ? `${sentence} (${message}).` : null;
}
