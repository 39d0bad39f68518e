import { describe, expect, it } from 'vitest';
import * as constants from './constants.ts';

describe('display constants', () => {
  it('match section 9 of the specification', () => {
    expect(constants).toMatchObject({
      REFRESH_MS: 8000,
      TOAST_MS: 3500,
      REDIRECT_MS: { afterRun: 3000, afterSignup: 800 },
      QUICK_SUGGESTIONS: 3,
      PREVIEW_STEPS: 5,
      DRAG_PX: { start: 5, key: 25 },
      POPOVER_RANGE: { maxDays: 30, maxHours: 23, maxMinutes: 55, minuteStep: 5 },
      PANEL_PX: 420,
    });
    expect(constants.runShortId('0123456789')).toBe('01234567');
  });
});
