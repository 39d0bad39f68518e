import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '@stet/domain/sla';
import type { Impact } from '@stet/domain/drafts';
import { impactLines } from './impact-words.ts';

const quiet: Impact = {
  workflows: 0,
  steps: { added: 0, removed: 0, modified: 0, before: 4, after: 4 },
  integrations: [],
  sla: { beforeMs: null, afterMs: null, loosened: [] },
  rolesRemoved: [],
  approvalsRemoved: [],
  controlLosses: [],
};
const titleOf = (id: string): string => `Title of ${id}`;
const lineOf = (impact: Parameters<typeof impactLines>[0], label: string) =>
  impactLines(impact, titleOf).find((line) => line.label === label);
const plain = { details: [], tone: 'plain' };

describe('the impact summary', () => {
  it('has four lines, none of them a loss, if nothing changed', () => {
    expect(impactLines(quiet, titleOf)).toEqual([
      { label: 'Workflows changed', value: '0', ...plain },
      { label: 'Steps changed', value: '0 of 4', ...plain },
      { label: 'Integrations touched', value: 'None', ...plain },
      { label: 'SLA impact', value: 'Unchanged', details: ['no SLA before, no SLA after'], tone: 'plain' },
    ]);
  });

  it('counts changed steps out of all old and new ones', () => {
    const steps = { added: 3, removed: 2, modified: 1, before: 5, after: 6 };
    expect(lineOf({ ...quiet, workflows: 1, steps }, 'Steps changed')).toEqual({
      label: 'Steps changed',
      value: '6 of 8',
      ...plain,
    });
  });

  it('names integrations with the affected steps', () => {
    const integrations: Impact['integrations'] = [
      { integration: 'email', change: 'added', stepIds: ['a', 'b'] },
      { integration: 'slack', change: 'removed', stepIds: ['c'] },
      { integration: 'in-app', change: 'changed', stepIds: ['d'] },
      { integration: 'script', change: 'changed', stepIds: ['e'] },
    ];
    expect(lineOf({ ...quiet, integrations }, 'Integrations touched')).toEqual({
      label: 'Integrations touched',
      value: 'Email, Slack, In-app, Scripts',
      details: [
        'Email added: Title of a, Title of b',
        'Slack removed: Title of c',
        'In-app changed: Title of d',
        'Scripts changed: Title of e',
      ],
      tone: 'plain',
    });
  });

  it.each<[beforeMs: number | null, afterMs: number | null, value: string, detail: string]>([
    [HOUR_MS, HOUR_MS, 'Unchanged', '1 hour before, 1 hour after'],
    [null, HOUR_MS, 'New SLA', 'no SLA before, 1 hour after'],
    [HOUR_MS, null, 'SLA removed', '1 hour before, no SLA after'],
    [HOUR_MS, DAY_MS, '23 hours longer', '1 hour before, 1 day after'],
    [DAY_MS, HOUR_MS, '23 hours shorter', '1 day before, 1 hour after'],
  ])('describes an SLA that changes from %j to %j ms as "%s"', (beforeMs, afterMs, value, detail) => {
    expect(lineOf({ ...quiet, sla: { beforeMs, afterMs, loosened: [] } }, 'SLA impact')).toEqual({
      label: 'SLA impact',
      value,
      details: [detail],
      tone: 'plain',
    });
  });

  it('shows lost controls first, and marks removed roles as losses', () => {
    const rolesRemoved = [{ role: 'reviewer', stepIds: ['a', 'b'] }];
    const controlLosses: Impact['controlLosses'] = [
      { kind: 'no_longer_before', stepId: 'a', title: 'Ask', sentence: 'Ask is no longer required before Pay' },
      {
        kind: 'sign_off_dropped',
        stepId: 'b',
        title: 'Bid',
        sentence: "Bid no longer needs a second person's sign-off",
      },
    ];
    const lines = impactLines({ ...quiet, rolesRemoved, controlLosses }, (id) => `Title of ${id}`);
    expect(lines[0]).toEqual({
      label: 'Controls lost or weakened',
      value: '2',
      details: ['Ask is no longer required before Pay', "Bid no longer needs a second person's sign-off"],
      tone: 'loss',
    });
    expect(lines.find(({ label }) => label === 'Roles removed')).toEqual({
      label: 'Roles removed',
      value: '1',
      details: ['reviewer: Title of a, Title of b'],
      tone: 'loss',
    });
  });

  it('shows open runs by pinned version if the caller counted them', () => {
    const openRuns = [
      { version: 3, count: 1 },
      { version: 2, count: 4 },
    ];
    expect(lineOf({ ...quiet, openRuns }, 'Open runs')).toEqual({
      label: 'Open runs',
      value: '1 stays on v3, 4 stay on v2',
      ...plain,
    });
    expect(lineOf({ ...quiet, openRuns: [] }, 'Open runs')).toMatchObject({ value: 'None' });
    expect(lineOf(quiet, 'Open runs')).toBeUndefined();
  });

  it('isolates right-to-left texts', () => {
    const rolesRemoved = [{ role: 'reviewer', stepIds: ['a'] }];
    const lines = impactLines({ ...quiet, rolesRemoved }, () => 'שלום');
    expect(lines.at(-1)?.details).toEqual(['reviewer: \u200E\u2068שלום\u2069']);
  });
});
