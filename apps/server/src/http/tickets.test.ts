import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openVault } from '../kernel/vault.ts';
import { openTicket, sealTicket } from './tickets.ts';

describe('a ticket', () => {
  const deps = { vault: openVault('a secret of the installation that is long enough') };
  const schema = z.object({ email: z.string() });
  const content = { email: 'mara@example.com' };

  it('is opened only for its purpose and before it expires', () => {
    const ticket = sealTicket(deps, 'sign in', content, 60_000);
    expect(openTicket(deps, 'sign in', schema, ticket)).toMatchObject({ content });
    expect(openTicket(deps, 'connect', schema, ticket)).toBeNull();
    expect(openTicket(deps, 'sign in', schema, 'no ticket')).toBeNull();
    expect(openTicket(deps, 'sign in', schema, sealTicket(deps, 'sign in', content, -1))).toBeNull();
  });

  it('is not opened if another release issued it in another form', () => {
    expect(openTicket(deps, 'sign in', schema, sealTicket(deps, 'sign in', { mail: 'x' }, 60_000))).toBeNull();
    const withoutId = deps.vault.seal('sign in', '', JSON.stringify({ until: Date.now() + 60_000, content }));
    expect(openTicket(deps, 'sign in', schema, withoutId)).toBeNull();
  });
});
