import { describe, expect, it } from 'vitest';
import { DEFAULT_PREFERENCES, NEWS, NEWS_CHANNELS, PACES, pacesFor, preferencesOf } from './preferences.ts';

describe('the preferences of a person', () => {
  it('are the application’s own where nothing was picked, and what was picked elsewhere', () => {
    expect(preferencesOf([])).toEqual(DEFAULT_PREFERENCES);
    expect(preferencesOf([{ news: 'mentions', channel: 'email', pace: 'daily' }])).toEqual({
      ...DEFAULT_PREFERENCES,
      mentions: { ...DEFAULT_PREFERENCES.mentions, email: 'daily' },
    });
  });

  it('take the first of two picks, and none that can’t be picked', () => {
    const { assignments, sla } = preferencesOf([
      { news: 'sla', channel: 'email', pace: 'off' },
      { news: 'sla', channel: 'email', pace: 'daily' },
      { news: 'assignments', channel: 'in-app', pace: 'off' },
      { news: 'assignments', channel: 'slack', pace: 'hourly' },
    ]);
    expect(sla.email).toBe('off');
    expect(assignments).toEqual(DEFAULT_PREFERENCES.assignments);
  });

  it('never take what is assigned to someone out of their list, and offer each default', () => {
    expect(pacesFor('assignments', 'in-app')).toEqual(['at_once']);
    for (const news of NEWS) {
      expect(pacesFor(news, 'in-app')).not.toContain('daily');
      for (const channel of NEWS_CHANNELS)
        expect(pacesFor(news, channel)).toContain(DEFAULT_PREFERENCES[news][channel]);
      expect(pacesFor(news, 'email')).toEqual(PACES);
    }
  });
});
