import { SignJWT, jwtVerify } from 'jose';
import type { Tokens } from '../kernel/deps.ts';

const ISSUER = 'stet';
const LIFETIME_SECONDS = 12 * 60 * 60;
// Maximum number of cached tokens. Together they take about 5 MB.
const REMEMBERED = 5000;

/** Tokens with a fixed algorithm, signed with the installation's secret. */
export function openTokens(secret: string): Tokens {
  const key = new TextEncoder().encode(secret);
  // A signature stays valid, so it isn't verified again while its token is cached. The database is queried every time,
  // to check whether the session is still valid.
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
