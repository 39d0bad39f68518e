import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../sla/index.ts';
import { lastDigest } from './digest.ts';

const digest = (zone: string, now: string): string => {
  const { at, day } = lastDigest(zone, Date.parse(now));
  return `${day} ${new Date(at).toISOString().slice(0, 16)}`;
};

describe('the daily digest', () => {
  it.each<[zone: string, now: string, due: string]>([
    ['UTC', '2026-11-21T08:00:00Z', '2026-11-21 2026-11-21T08:00'],
    ['UTC', '2026-11-21T07:59:59Z', '2026-11-20 2026-11-20T08:00'],
    ['Europe/Berlin', '2026-11-21T07:00:00Z', '2026-11-21 2026-11-21T07:00'],
    ['Europe/Berlin', '2026-07-01T05:59:00Z', '2026-06-30 2026-06-30T06:00'],
    ['America/Los_Angeles', '2026-11-21T02:00:00Z', '2026-11-20 2026-11-20T16:00'],
    ['Pacific/Kiritimati', '2026-11-20T18:30:00Z', '2026-11-21 2026-11-20T18:00'],
    // The night when clocks are set back.
    ['Europe/Berlin', '2026-10-25T07:00:00Z', '2026-10-25 2026-10-25T07:00'],
    ['Europe/Berlin', '2026-10-25T06:59:00Z', '2026-10-24 2026-10-24T06:00'],
  ])('in the time zone %s, at %s, was last due on %s', (zone, now, due) => {
    expect(digest(zone, now)).toBe(due);
  });

  it('is due once a day and never in the future', () => {
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu');
    fc.assert(
      fc.property(zone, fc.integer({ min: 0, max: 60 * 365 * 24 * 60 }), (timeZone, minutes) => {
        const now = minutes * 60_000;
        const { at, day } = lastDigest(timeZone, now);
        expect(now - at).toBeGreaterThanOrEqual(0);
        expect(now - at).toBeLessThan(DAY_MS + 2 * 3_600_000);
        expect(lastDigest(timeZone, at)).toEqual({ at, day });
        expect(lastDigest(timeZone, at - 1).day < day).toBe(true);
      }),
    );
  });
});
