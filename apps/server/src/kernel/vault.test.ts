import { describe, expect, it } from 'vitest';
import { Unreadable, openVault } from './vault.ts';

const ONE = 'the first secret of this installation';
const TWO = 'the second secret of this installation';

describe('the vault', () => {
  it('decrypts a value to the original, and encrypts the same value differently each time', () => {
    const vault = openVault(ONE);
    const sealed = ['', 'xoxb-token', 'ünïcödé 🔑'].map((text) => [text, vault.seal('slack', 'org', text)] as const);
    for (const [text, sealedText] of sealed) {
      expect(vault.open('slack', 'org', sealedText)).toBe(text);
      expect(sealedText).not.toContain('xoxb');
    }
    expect(vault.seal('slack', 'org', 'a')).not.toBe(vault.seal('slack', 'org', 'a'));
  });

  it('decrypts nothing for a different owner or purpose, or after any change', () => {
    const vault = openVault(ONE);
    const sealed = vault.seal('slack', 'org', 'xoxb-token');
    expect(() => vault.open('slack', 'other', sealed)).toThrow(Unreadable);
    expect(() => vault.open('webhook', 'org', sealed)).toThrow(Unreadable);
    const [form = '', id = '', body = ''] = sealed.split('.');
    for (let at = 0; at < body.length - 1; at += 1) {
      const changed = `${body.slice(0, at)}${body[at] === 'A' ? 'B' : 'A'}${body.slice(at + 1)}`;
      expect(() => vault.open('slack', 'org', [form, id, changed].join('.'))).toThrow(Unreadable);
    }
    for (const nothing of ['', 'xoxb-token', `v1.${id}.`, `v2.${id}.${body}`, `v1.00000000.${body}`])
      expect(() => vault.open('slack', 'org', nothing)).toThrow(Unreadable);
  });

  it('decrypts values encrypted with an earlier secret as long as that secret is configured', () => {
    const sealed = openVault(ONE).seal('slack', 'org', 'xoxb-token');
    const next = openVault(TWO, [ONE]);
    expect(next.open('slack', 'org', sealed)).toBe('xoxb-token');
    const again = next.seal('slack', 'org', 'xoxb-token');
    expect(again).toContain(`.${next.keyId}.`);
    expect(openVault(TWO).open('slack', 'org', again)).toBe('xoxb-token');
    expect(() => openVault(TWO).open('slack', 'org', sealed)).toThrow(Unreadable);
  });
});
