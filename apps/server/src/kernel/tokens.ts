import { SignJWT, jwtVerify } from 'jose';

const ISSUER = 'stet';
const LIFETIME_SECONDS = 12 * 60 * 60;
// Some 5 MB of tokens.
const REMEMBERED = 5000;

type TokenClaims = { userId: string; sessionId: string; email: string; name: string; role: string };

export type Tokens = {
  /** Seconds that a token and its session last. */
  lifetimeSeconds: number;
  sign: (claims: TokenClaims) => Promise<string>;
  /** The session that a token names, or null where it is not ours, altered or expired. */
  sessionOf: (token: string) => Promise<string | null>;
};

/** Tokens of one algorithm, signed with the installation's secret (rulings, section 2). */
export function openTokens(secret: string): Tokens {
  const key = new TextEncoder().encode(secret);
  // What a signature says never changes, so it is looked at once; whether the session lives, the database says each time.
  const verified = new Map<string, { sessionId: string; expiresAt: number }>();
  return {
    lifetimeSeconds: LIFETIME_SECONDS,
    sign: ({ userId, sessionId, ...claims }) =>
      new SignJWT({ ...claims, sid: sessionId })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(userId)
        .setIssuer(ISSUER)
        .setAudience(ISSUER)
        .setIssuedAt()
        .setExpirationTime(`${LIFETIME_SECONDS}s`)
        .sign(key),
    sessionOf: async (token) => {
      const known = verified.get(token);
      if (known) {
        if (known.expiresAt > Date.now()) return known.sessionId;
        verified.delete(token);
        return null;
      }
      try {
        const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], issuer: ISSUER, audience: ISSUER });
        if (typeof payload['sid'] !== 'string') return null;
        if (payload.exp !== undefined) {
          const [oldest] = verified.size >= REMEMBERED ? verified.keys() : [];
          if (oldest !== undefined) verified.delete(oldest);
          verified.set(token, { sessionId: payload['sid'], expiresAt: payload.exp * 1000 });
        }
        return payload['sid'];
      } catch {
        return null;
      }
    },
  };
}
