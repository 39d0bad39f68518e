import { SignJWT, jwtVerify } from 'jose';

const ISSUER = 'stet';
const LIFETIME_SECONDS = 12 * 60 * 60;

export type TokenClaims = { userId: string; sessionId: string; email: string; name: string; role: string };

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
      try {
        const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], issuer: ISSUER, audience: ISSUER });
        return typeof payload['sid'] === 'string' ? payload['sid'] : null;
      } catch {
        return null;
      }
    },
  };
}
