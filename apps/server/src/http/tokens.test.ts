import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTokens } from './tokens.ts';

const claims = { userId: 'someone', sessionId: 'a session', email: 'a@example.com', name: 'A', role: 'editor' };

describe('a session token', () => {
  const tokens = openTokens('a secret of at least thirty-two characters');

  beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => vi.useRealTimers());

  it('identifies its session on each use until it expires', async () => {
    const token = await tokens.sign(claims);
    expect(await tokens.sessionOf(token)).toBe('a session');
    vi.setSystemTime(Date.now() + (tokens.lifetimeSeconds - 2) * 1000);
    expect(await tokens.sessionOf(token)).toBe('a session');
    vi.setSystemTime(Date.now() + 4000);
    expect(await tokens.sessionOf(token)).toBeNull();
    expect(await tokens.sessionOf(token)).toBeNull();
  });

  it('gives no access if its signature was changed or made with a different secret', async () => {
    const token = await tokens.sign(claims);
    expect(await tokens.sessionOf(token)).toBe('a session');
    const [head, body, signature = ''] = token.split('.');
    const altered = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    expect(await tokens.sessionOf([head, body, altered].join('.'))).toBeNull();
    expect(await openTokens('another secret of thirty-two characters').sessionOf(token)).toBeNull();
  });

  it('is still valid after more tokens than the cache holds', async () => {
    const first = await tokens.sign({ ...claims, sessionId: 'the first' });
    expect(await tokens.sessionOf(first)).toBe('the first');
    for (let n = 0; n < 6000; n += 1) {
      const sessionId = `session ${n}`;
      expect(await tokens.sessionOf(await tokens.sign({ ...claims, sessionId }))).toBe(sessionId);
    }
    expect(await tokens.sessionOf(first)).toBe('the first');
  });
});
