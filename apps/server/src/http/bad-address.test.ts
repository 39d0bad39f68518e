import type { ContractKey } from '@stet/contract';
import { SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { addressOf, fieldsOf, routes } from '../testing/routes.ts';
import { SECRET, expectNoFailure, expectRefusal, startBadInputScene } from '../testing/bad-input.ts';

const withParams = routes.filter(([, { params }]) => params !== undefined);
/** The identity provider may add unknown parameters to this query (RFC 6749, section 4.1.2). */
const OPEN_QUERIES: ContractKey[] = ['GET /api/auth/oidc/callback'];
const withQuery = routes.filter(([key, { query }]) => query !== undefined && !OPEN_QUERIES.includes(key));
const guarded = routes.filter(([, { access }]) => access !== 'public');

const { server, person, existing, send, expectAsItWas } = await startBadInputScene();

describe('a server that gets bad input', () => {
  afterAll(() => server.stop());

  it.each(withParams)('returns an error for bad ids in the path of %s', async (key, spec) => {
    for (const name of fieldsOf(spec.params)) {
      for (const value of [
        '\u0000',
        'not an id',
        "' or 1=1 --",
        '..%2f..',
        'ünïcode',
        '0',
        '-1',
        'x'.repeat(150),
        'x'.repeat(5000),
        'null',
      ]) {
        const { path } = addressOf(key, { params: { ...existing(key), [name]: value } });
        const received = await send(key, { path, ...(spec.body && !spec.bodyKind && { body: '{}' }) });
        expectNoFailure(received);
        expect(received.status).toBeGreaterThanOrEqual(400);
      }
      const { path } = addressOf(key, { params: { ...existing(key), [name]: 'PERCENT' } });
      expectRefusal(await send(key, { path: path.replace('PERCENT', '%zz') }), 400);
    }
  });

  it.each(withQuery)(
    'refuses undeclared and repeated query parameters of %s, and never fails with an internal error on bad values',
    async (key, spec) => {
      const { path } = addressOf(key, { params: existing(key) });
      expectRefusal(await send(key, { path: `${path}?nobodyDeclaredThis=1` }), 400);
      for (const name of fieldsOf(spec.query)) {
        for (const value of [
          '%00',
          'a%00b',
          '%ED%A0%80',
          'x'.repeat(5000),
          '1&',
          '[]',
          '%',
          '-1',
          '0000-01-01T00:00:00Z',
          '9999-12-31T23:59:60Z',
          '1e9',
          '99999999999999999999',
        ]) {
          expectNoFailure(await send(key, { path: `${path}?${name}=${value}` }));
        }
        expectRefusal(await send(key, { path: `${path}?${name}=1&${name}=2` }), 400);
      }
    },
  );

  it.each(guarded)('returns 401 from %s for anything but a valid session or token', async (key, spec) => {
    const sign = (claims: object, { alg = 'HS256', secret = SECRET, exp = '1h', aud = 'stet' } = {}): Promise<string> =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg })
        .setIssuer('stet')
        .setAudience(aud)
        .setIssuedAt()
        .setExpirationTime(exp)
        .sign(new TextEncoder().encode(secret));
    const [head = '', claims = '', signature = ''] = person.token.split('.');
    const { sid } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sid: string };
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const tokens = [
      null,
      '',
      'garbage',
      `${head}.${claims}`,
      `${head}.${claims}.`,
      `${none}.${claims}.`,
      `${head}.${claims}.${signature.slice(1)}${signature.slice(0, 1)}`,
      await sign({ sid }, { exp: '-1s' }),
      await sign({ sid }, { secret: `${SECRET} but another` }),
      await sign({ sid }, { aud: 'other' }),
      await sign({ sid }, { alg: 'HS512' }),
      await sign({ sid: '01890000-0000-7000-8000-000000000001' }),
      await sign({}),
      await sign({ sid: 12 }),
      'stet_pat_',
      `stet_pat_${'x'.repeat(43)}`,
      `stet_org_${'x'.repeat(43)}`,
    ];
    for (const token of tokens) expectRefusal(await send(key, { token, ...(spec.body && { body: '{"a":1}' }) }), 401);
    expectRefusal(await send(key, { token: null, headers: { authorization: `Basic ${person.token}` } }), 401);
  });

  it.each(guarded)('returns 401 from %s for an expired session', async (key) => {
    const { token } = await server.signUp();
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
    await server.sql(`update sessions set expires_at = now() - interval '1 second' where id = $1`, [claims.sid]);
    expectRefusal(await send(key, { token }), 401);
  });

  it.each(routes)('returns 404 for undeclared methods on the path of %s', async (key) => {
    const { path } = addressOf(key, { params: existing(key) });
    for (const method of ['PUT', 'OPTIONS', 'DELETE', 'POST', 'PATCH']) {
      const others = routes.map(([other]) => other).filter((other) => matches(other, method, path));
      if (others.length > 0) continue;
      const response = await fetch(server.server.url + path, {
        method,
        headers: { authorization: `Bearer ${person.token}` },
      });
      expectRefusal({ status: response.status, text: await response.text() }, 404);
    }
  });

  it('still responds afterwards, and has started no run', () => expectAsItWas());
});

function matches(key: ContractKey, method: string, path: string): boolean {
  const [known, pattern = ''] = key.split(' ');
  return known === method && new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}
