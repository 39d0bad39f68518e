import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { openPdf } from '../../../adapters/pdf.ts';
import { outlineOf, solidText, textOfPages } from '../../../adapters/pdf/pdf-text.fixture.ts';
import { manualStep, personNamed, sampleRun, sampleTrail } from './trail.sample.ts';
import type { Trail } from '../trail.ts';
import { writeAuditDocument } from './write-audit-document.ts';

const HOUR = 3_600_000;
const GERMAN = { locale: 'de-DE', timeZone: 'Europe/Berlin' };
async function documentOf(trail: Trail, form = GERMAN): Promise<Buffer> {
  const { bytes, written } = await writeAuditDocument(async (options) => openPdf(options), trail, form);
  const [pdf] = await Promise.all([buffer(bytes), written]);
  return pdf;
}
const steps = [
  manualStep('a', 'Collect bank statements', '1h'),
  manualStep('b', 'Проверка НДС', '1 day'),
  manualStep('c', 'Publish', ''),
];
const run = sampleRun({
  id: '0197a3c1-1111-7000-8000-000000000011',
  name: 'Close of Q3 — Łódź 四半期',
  steps,
  acts: [
    {
      command: { type: 'complete', stepId: 'a', output: { text: 'All in' }, notes: 'twice' },
      by: personNamed('Sam Okafor'),
      afterMs: 2 * HOUR,
    },
    { command: { type: 'skip', stepId: 'b', reason: 'Not due' }, by: personNamed('Мария Иванова'), afterMs: 1500 },
  ],
  decisions: [
    {
      verdict: 'approved',
      at: new Date(Date.UTC(2026, 9, 1)),
      reviewer: { id: 'r', name: 'Rui Reviewer', email: 'rui@example.com' },
      on_behalf_of: { id: 'm', name: 'Mara Voss', email: 'mara@example.com' },
      comment: 'Reads well',
      content_hash: 'ab'.repeat(32),
      dismissed: true,
      withdrawn: false,
      is_contributor: false,
      marks: null,
    },
    {
      verdict: 'approved',
      at: new Date(Date.UTC(2026, 9, 2)),
      reviewer: { id: 's', name: 'Sam Okafor', email: 'sam@example.com' },
      on_behalf_of: null,
      comment: '',
      content_hash: 'cd'.repeat(32),
      dismissed: false,
      withdrawn: false,
      is_contributor: true,
      marks: null,
    },
  ],
});

describe('an audit document', () => {
  it('shows the groups that had to approve the version, and who approved for each', async () => {
    const groups = [
      { name: 'Compliance', by: { id: 'm', name: 'Mara Lindqvist', email: 'mara@example.com' } },
      { name: 'Legal', by: null },
    ];
    const routed = sampleRun({ id: run.id, name: 'Routed', steps, groups });
    const solid = await solidText(await documentOf(sampleTrail([routed])));
    expect(solid).toContain('Compliance:approvedbyMaraLindqvist');
    expect(solid).toContain('Legal:noapproval');
    expect(await solidText(await documentOf(sampleTrail([run])))).not.toContain('approvedby');
  });

  it('shows its scope, exporter, time, size and chain head on the cover', async () => {
    const trail = sampleTrail([run]);
    const [cover = ''] = await textOfPages(await documentOf(trail));
    expect(cover).toContain('Northwind Traders');
    expect(cover).toContain('Runs started from 1. Nov. 2026, 01:00:00 to 1. Dez. 2026, 00:59:59');
    expect(cover).toContain('Runs started from 2026-11-01T00:00:00.000Z to 2026-11-30T23:59:59.999Z');
    expect(cover).toContain('Inês Duarte');
    expect(cover).toContain(new Date(trail.readAt).toISOString());
    expect(cover).toContain('1 run: 1 running');
    expect(cover).toContain(`${run.events.length} events`);
    expect(cover).toContain('Event 4711');
    expect(cover).toContain(trail.head.hash);
    expect(cover).toContain('Seals the first 4,712 events');
    expect(cover).toContain(trail.checkpoint?.key ?? 'no key');
    expect(cover).toContain('Times are in the time zone Europe/Berlin');
  });

  it('contains each step with its state, actor and times, and the elapsed time and verdict of its SLA', async () => {
    const solid = await solidText(await documentOf(sampleTrail([run])));
    expect(solid).toContain('1CollectbankstatementsManual,assignedtofinance@example.com');
    expect(solid).toMatch(/CompletedSamOkafor/);
    expect(solid).toContain('21.Nov.2026,04:12:442026-11-21T03:12:44.123Z');
    expect(solid).toContain('2026-11-21T05:12:44.123Z');
    expect(solid).toMatch(/2hof1h|2hBreached/);
    expect(solid).toContain('Breached');
    expect(solid).toContain('ПроверкаНДС');
    expect(solid).toContain('SkippedМарияИванова');
  });

  it('contains the history in order, with the exact time of each event and the first 16 digits of its hash', async () => {
    const solid = await solidText(await documentOf(sampleTrail([run])));
    let from = solid.indexOf('History');
    for (const { at, hash } of run.events) {
      const place = solid.indexOf(at, from);
      expect(place).toBeGreaterThan(from - 1);
      expect(solid).toContain(hash.slice(0, 16));
      from = place;
    }
    expect(solid).toContain('Output:AllinNotes:twice');
    expect(solid).toContain('Reason:Notdue');
  });

  it('shows who approved which content, which approval was dismissed, and which one was a self-approval', async () => {
    const solid = await solidText(await documentOf(sampleTrail([run])));
    expect(solid).toContain('RuiReviewer');
    expect(solid).toContain('forMaraVoss');
    expect(solid).toContain('ab'.repeat(32));
    expect(solid).toContain('Dismissed:thecontentwaschangedafterwards');
    expect(solid).toContain('self-approved:nootherreviewer');
    expect(solid).toContain('Readswell');
    expect(solid).toContain(run.ofVersion.content_hash);
  });

  it('lists removed controls and the changes to judge, and shows invisible characters as code points', async () => {
    const losses = ['CFO approval is no longer required before Pay\u200B'];
    const unknowns = ['Pay runs a different script'];
    const lost = { ...run, ofVersion: { ...run.ofVersion, losses, unknowns } };
    const solid = await solidText(await documentOf(sampleTrail([lost])));
    expect(solid).toContain('Controlslost');
    expect(solid).toContain('ChangestojudgePayrunsadifferentscript');
    expect(solid).toContain('CFOapprovalisnolongerrequiredbeforePay‹U+200B›');
    expect(await solidText(await documentOf(sampleTrail([run])))).not.toMatch(/Controlslost|Changestojudge/);
  });

  it('shows that personal data was erased from an event', async () => {
    const events = run.events.map((event, n) => (n === 1 ? { ...event, record: null } : event));
    const solid = await solidText(await documentOf(sampleTrail([{ ...run, events }])));
    expect(solid).toContain('Personaldatawaserasedfromthisevent');
  });

  it('lists several runs with the pages on which they start', async () => {
    const other = sampleRun({ id: '0197a3c1-2222-7000-8000-000000000022', name: 'The other run', steps });
    const pages = await textOfPages(await documentOf(sampleTrail([run, other])));
    const listed = pages.findIndex((page) => page.includes('Index of runs'));
    const begins = pages.findIndex((page, n) => n > listed && page.includes('The other run'));
    expect(pages[listed]).toMatch(new RegExp(String.raw`The other run .*\b${begins + 1}\b`));
  });

  it('puts short runs on one page, with bookmarks, and writes the review of their version once', async () => {
    const runs = [1, 2, 3].map((n) =>
      sampleRun({ id: `0197a3c1-3333-7000-8000-00000000003${n}`, name: `Short ${n}`, steps: steps.slice(0, 1) }),
    );
    const sameVersion = runs.map((each) => ({ ...each, version_id: 'the-version' }));
    const pdf = await documentOf(sampleTrail(sameVersion));
    const bookmarks = await outlineOf(pdf);
    expect(bookmarks.map(({ title, level = 1 }) => [title, level])).toEqual([
      ['About this document', 1],
      ['Index of runs', 1],
      ['Runs', 1],
      ['Short 1', 2],
      ['Short 2', 2],
      ['Short 3', 2],
    ]);
    const [first, second, third] = bookmarks.slice(3).map(({ page }) => page);
    expect(second).toBe(third);
    const pages = await textOfPages(pdf);
    expect(pages.join(' ').match(/Made live by/g)).toHaveLength(1);
    expect(pages.join(' ')).toContain(`Review of version 3: page ${first}`);
  });

  it('shows dates in the language and time zone of its reader', async () => {
    const solid = await solidText(
      await documentOf(sampleTrail([run]), { locale: 'en-US', timeZone: 'America/New_York' }),
    );
    expect(solid).toContain('Nov20,2026,10:12:44PM2026-11-21T03:12:44.123Z');
  });

  it('says so if the period has no runs', async () => {
    const pages = await textOfPages(await documentOf(sampleTrail([])));
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain('No runs in this range');
  });
});
