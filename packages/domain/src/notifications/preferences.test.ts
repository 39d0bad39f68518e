import { describe, expect, it } from 'vitest';
import {
  DEFAULT_PREFERENCES,
  PREFERENCE_KINDS,
  PREFERENCE_CHANNELS,
  PACES,
  pacesFor,
  preferencesOf,
} from './preferences.ts';

describe('a person’s preferences', () => {
  it('are the person’s choices, and the defaults for everything else', () => {
    expect(preferencesOf([])).toEqual(DEFAULT_PREFERENCES);
    expect(preferencesOf([{ news: 'mentions', channel: 'email', pace: 'daily' }])).toEqual({
      ...DEFAULT_PREFERENCES,
      mentions: { ...DEFAULT_PREFERENCES.mentions, email: 'daily' },
    });
  });

  it('use the first of two choices and ignore invalid ones', () => {
    const { assignments, sla } = preferencesOf([
      { news: 'sla', channel: 'email', pace: 'off' },
      { news: 'sla', channel: 'email', pace: 'daily' },
      { news: 'assignments', channel: 'in-app', pace: 'off' },
      { news: 'assignments', channel: 'slack', pace: 'hourly' },
    ]);
    expect(sla.email).toBe('off');
    expect(assignments).toEqual(DEFAULT_PREFERENCES.assignments);
  });

  it('always include assignments in the list behind the bell, and offer each default as a choice', () => {
    expect(pacesFor('assignments', 'in-app')).toEqual(['at_once']);
    for (const kind of PREFERENCE_KINDS) {
      expect(pacesFor(kind, 'in-app')).not.toContain('daily');
      for (const channel of PREFERENCE_CHANNELS)
        expect(pacesFor(kind, channel)).toContain(DEFAULT_PREFERENCES[kind][channel]);
      expect(pacesFor(kind, 'email')).toEqual(PACES);
    }
  });
});
