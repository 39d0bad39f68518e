import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_MENTIONS, mentionOf, mentionProbes, mentionsIn } from './mentions.ts';

const SAM = { id: 'sam', name: 'Sam Okafor', email: 'sam@halden.example' };
const SAMIRA = { id: 'samira', name: 'Samira Haddad', email: 'samira.haddad@halden.example' };
const LINDA = { id: 'linda', name: 'Linda Berg', email: 'linda@halden.example' };
const OTHER_LINDA = { id: 'other', name: 'linda berg', email: 'l.berg@halden.example' };
const JOHN = { id: 'john', name: 'Jörg Müller', email: 'sam@other.example' };
const PEOPLE = [SAM, SAMIRA, LINDA, OTHER_LINDA];

const named = (text: string, people = PEOPLE): string[] =>
  mentionsIn(text, people).map(({ userId, from, to }) => `${userId} ${text.slice(from, to)}`);

describe('a mention', () => {
  it.each<[text: string, named: string[]]>([
    ['Ask @Sam Okafor, please', ['sam @Sam Okafor']],
    ['@sam okafor', ['sam @sam okafor']],
    ['@sam', ['sam @sam']],
    ['(@sam)', ['sam @sam']],
    ['@sam.', ['sam @sam']],
    ['@sam’s turn', ['sam @sam']],
    ['@SAM@halden.example: look', ['sam @SAM@halden.example']],
    ['@samira.haddad', ['samira @samira.haddad']],
    ['@Samira Haddad and @Sam Okafor', ['samira @Samira Haddad', 'sam @Sam Okafor']],
    ['@linda', ['linda @linda']],
    ['two lines\n@l.berg', ['other @l.berg']],
    // Two people have this name.
    ['@Linda Berg', []],
    ['@samuel', []],
    ['@sam@elsewhere.example', []],
    ['@sam.okafor', []],
    ['mail sam@halden.example', []],
    ['@nobody', []],
    ['@', []],
    ['', []],
  ])('%j mentions %j', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  it('is ignored if two addresses have the same local part, unless the whole address is written', () => {
    expect(named('@sam @sam@other.example @Jörg Müller', [SAM, JOHN])).toEqual([
      'john @sam@other.example',
      'john @Jörg Müller',
    ]);
  });

  it('is ignored if the text already has the maximum number of mentions', () => {
    expect(mentionsIn('@sam '.repeat(MAX_MENTIONS + 5), PEOPLE)).toHaveLength(MAX_MENTIONS);
  });

  it('is written with the name if that is unique, otherwise with the address', () => {
    expect(mentionOf(SAM, PEOPLE)).toBe('@Sam Okafor');
    expect(mentionOf(LINDA, PEOPLE)).toBe('@linda@halden.example');
  });

  it('identifies the intended person anywhere in a text', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    const person = fc
      .tuple(fc.uuid(), word, word, word)
      .map(([id, first, last, local]) => ({ id, name: `${first} ${last}`, email: `${local}@x.example` }));
    const people = fc.uniqueArray(person, { minLength: 1, maxLength: 6, selector: ({ email }) => email });
    fc.assert(
      fc.property(people, fc.constantFrom('', ' see ', '\n', '('), (all, before) => {
        for (const each of all) {
          const text = `${before}${mentionOf(each, all)}, and more`;
          expect(mentionsIn(text, all)).toMatchObject([{ userId: each.id, from: before.length }]);
        }
      }),
    );
  });

  it('is found even if only people who match one of the text’s probes are searched', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('@sam', '@Samira Haddad', '@l.berg', '@linda'), (noise, mention) => {
        const text = `${noise} ${mention}`;
        const probes = mentionProbes(text);
        const few = PEOPLE.filter(({ name, email }) =>
          [name.toLowerCase(), email.split('@')[0] ?? ''].some((called) =>
            probes.some((probe) => probe.startsWith(called)),
          ),
        );
        expect(mentionsIn(text, few)).toEqual(mentionsIn(text, PEOPLE));
      }),
    );
  });
});
