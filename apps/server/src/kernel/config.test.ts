import { describe, expect, it } from 'vitest';
import { BadConfiguration, readConfig } from './config.ts';

const PROVIDER = { OIDC_ISSUER: 'https://id.halden.example/', OIDC_CLIENT_ID: 'stet', OIDC_CLIENT_SECRET: 'secret' };

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof BadConfiguration) return error.problems;
    throw error;
  }
}

describe('the settings of an identity provider', () => {
  it("are unset by default, and use the host as the provider's name if no label is set", () => {
    expect(readConfig({}).oidc).toBeNull();
    expect(readConfig(PROVIDER).oidc).toEqual({
      issuer: 'https://id.halden.example/',
      clientId: 'stet',
      clientSecret: 'secret',
      label: 'id.halden.example',
      scopes: 'openid email profile',
      linkByEmail: false,
    });
    expect(readConfig({ ...PROVIDER, OIDC_LABEL: ' Halden ID ', OIDC_LINK_BY_EMAIL: 'on' }).oidc).toMatchObject({
      label: 'Halden ID',
      linkByEmail: true,
    });
  });

  it('are required if password sign-in is switched off', () => {
    expect(readConfig({}).passwordSignIn).toBe(true);
    expect(readConfig({ ...PROVIDER, PASSWORD_SIGN_IN: 'off' }).passwordSignIn).toBe(false);
    expect(problemsOf({ PASSWORD_SIGN_IN: 'off' })).toEqual([
      'PASSWORD_SIGN_IN can only be off with an identity provider: set OIDC_ISSUER',
    ]);
    expect(problemsOf({ ...PROVIDER, PASSWORD_SIGN_IN: 'no' })).toEqual(['PASSWORD_SIGN_IN must be on or off']);
  });

  it('must be set together', () => {
    for (const name of Object.keys(PROVIDER)) {
      expect(problemsOf({ ...PROVIDER, [name]: ' ' })).toEqual([
        'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together',
      ]);
    }
  });

  it.each([
    [
      'OIDC_ISSUER',
      'http://id.halden.example',
      'must be an https:// address; http:// is allowed only for this machine',
    ],
    [
      'OIDC_ISSUER',
      'http://127.0.0.1.evil.example',
      'must be an https:// address; http:// is allowed only for this machine',
    ],
    ['OIDC_ISSUER', 'https://id.halden.example/?realm=a', 'must be the issuer itself, without ? or #'],
    ['OIDC_LABEL', 'x'.repeat(41), 'must have at most 40 characters'],
    ['OIDC_LABEL', 'two\nlines', 'must be one line of text'],
    ['OIDC_SCOPES', 'email profile', 'must include openid'],
    ['OIDC_LINK_BY_EMAIL', 'yes', 'must be on or off'],
  ])('are invalid with %s="%s"', (name, value, sentence) => {
    expect(problemsOf({ ...PROVIDER, [name]: value })).toEqual([`${name} ${sentence}`]);
  });

  it.each(['http://127.0.0.1:4000', 'http://localhost:4000', 'http://[::1]:4000'])(
    'are valid with the issuer %s',
    (issuer) => {
      expect(readConfig({ ...PROVIDER, OIDC_ISSUER: issuer }).oidc).toMatchObject({ issuer });
    },
  );
});

describe('SIGN_UP', () => {
  it.each([
    ['', { kind: 'open' }],
    ['open', { kind: 'open' }],
    ['Closed', { kind: 'closed' }],
    ['domain: Example.com , example.org', { kind: 'domains', domains: ['example.com', 'example.org'] }],
  ])('%j means %j', (value, signUp) => {
    expect(readConfig({ SIGN_UP: value }).signUp).toEqual(signUp);
  });

  it.each(['no', 'domain:', 'domain:example', 'domain:a@example.com', 'example.com'])('refuses %j', (value) => {
    expect(problemsOf({ SIGN_UP: value })).toEqual([
      'SIGN_UP must be open, closed, or domain: with a comma-separated list of domains, for example domain:example.com',
    ]);
  });
});
