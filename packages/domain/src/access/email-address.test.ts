import { describe, expect, it } from 'vitest';
import { canonicalEmail, spellingsOf } from './email-address.ts';

describe('an email address', () => {
  it.each([
    [' Mara@Corp.Example ', 'mara@corp.example'],
    ['m@ｃorp.example', 'm@corp.example'],
    ['m@co\u{ad}rp.example', 'm@corp.example'],
    ['m@co\u200Brp.example', 'm@corp.example'],
    ['m@co\u034Frp.example', 'm@corp.example'],
    ['m@corp。example', 'm@corp.example'],
    ['m@bücher.example', 'm@xn--bcher-kva.example'],
    ['m@xn--bcher-kva.example', 'm@xn--bcher-kva.example'],
    ['müller@corp.example', 'müller@corp.example'],
  ])('%j has the canonical spelling %j', (text, canonical) => {
    expect(canonicalEmail(text)).toBe(canonical);
    expect(canonicalEmail(canonical)).toBe(canonical);
  });

  it.each([
    'ｍ@corp.example',
    'm\u{ad}@corp.example',
    'm\u200B@corp.example',
    'm@\u{ad}',
    'm@corp.exämple/x',
    'm@ä%6f.example',
    'm@corp.example；x',
    'm@corp.example，x',
    'm@corp.example。',
  ])('%j is refused', (text) => {
    expect(canonicalEmail(text)).toBeNull();
  });

  it('is looked up both as typed and in its canonical spelling', () => {
    expect(spellingsOf(' Eva@Bücher.example ')).toEqual(['eva@bücher.example', 'eva@xn--bcher-kva.example']);
    expect(spellingsOf('Eva@corp.example')).toEqual(['eva@corp.example']);
    expect(spellingsOf('Unassigned')).toEqual(['unassigned']);
  });
});
