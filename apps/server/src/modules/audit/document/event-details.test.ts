import type { InputField } from '@stet/domain/steps';
import { describe, expect, it } from 'vitest';
import { eventDetails } from './event-details.ts';
import { stepsById } from './steps-part.ts';
import { manualStep } from './trail.sample.ts';
import { timesFor } from './words.ts';

const steps = stepsById([manualStep('a', 'Collect statements')]);
const times = timesFor({ locale: 'de-DE', timeZone: 'Europe/Berlin' });
const detailLines = (data: Record<string, unknown>): string[] => eventDetails(data, { steps, times }, 12);

describe('the details of an event', () => {
  it('show text input as it was typed, and other outputs as JSON', () => {
    expect(detailLines({ output: { text: 'all in' } })).toEqual(['Output: all in']);
    expect(detailLines({ output: { text: 'all in', amount: 3 } })).toEqual(['Output: {"text":"all in","amount":3}']);
  });

  it('show a form’s values with their labels, and each file with its digest, even after long texts', () => {
    const form = manualStep('b', 'Offer');
    const fields: InputField[] = [
      { id: 'amount', label: 'Amount', kind: 'number', required: true, unit: 'EUR' },
      { id: 'agreed', label: 'Agreed', kind: 'yes_no', required: true },
      { id: 'reasons', label: 'Reasons', kind: 'many_of', options: ['Price', 'Speed'], required: false },
      { id: 'offer', label: 'Offer', kind: 'file', required: true },
    ];
    const formSteps = stepsById([{ ...form, type: 'manual', config: { fields } }]);
    const file = {
      fileId: '0197a3c1-0000-7000-8000-000000000001',
      sha256: 'ab'.repeat(32),
      size: 2_400_000,
      name: 'offer.pdf',
      mediaType: 'application/pdf',
    };
    const shown = (data: object) => eventDetails({ stepId: 'b', ...data }, { steps: formSteps, times }, 12);
    const values = { amount: 3, agreed: true, reasons: ['Price', 'Speed'], offer: [file] };
    const digest = `File: offer.pdf, 2.3 MB, application/pdf, SHA-256 ${file.sha256}`;
    expect(shown({ output: { text: '', fields: values } })).toEqual([
      'Output: Amount: 3 EUR\nAgreed: Yes\nReasons: Price, Speed\nOffer: offer.pdf',
      digest,
    ]);
    const long = shown({ output: { text: 'é'.repeat(5000), fields: values } });
    expect(long[0]).toContain('more characters: see event 12');
    expect(long[1]).toBe(digest);
    // Direction controls in a file name can't change how the line reads.
    const [, odd] = shown({ output: { text: '', fields: { offer: [{ ...file, name: 'a\u202Efdp.exe' }] } } });
    expect(odd).not.toContain('\u202E');
    // A script's output isn't evidence, and neither is a value of an unknown field.
    const report = { kind: 'automated', simulated: false, reportedMs: 1 };
    expect(shown({ output: { text: '', fields: values }, report })).toHaveLength(2);
    expect(shown({ output: { text: '', fields: { other: 1 } } })).toEqual(['Output: {"text":"","fields":{"other":1}}']);
  });

  it('show a note’s text and its files', () => {
    const file = { fileId: 'f', sha256: 'ab'.repeat(32), size: 7, name: 'a.jpg', mediaType: 'image/jpeg' };
    expect(detailLines({ noteId: 'n', text: 'See the photo', mentions: [], files: [file] })).toEqual([
      'Note: See the photo',
      `File: a.jpg, 7 bytes, image/jpeg, SHA-256 ${file.sha256}`,
    ]);
  });

  it('say so if a pause has no reason, and show why someone acted for the assignees', () => {
    expect(detailLines({ type: 'run_paused', reason: null })).toEqual(['Reason: none was given']);
    expect(detailLines({ type: 'run_paused', reason: 'Audit week' })).toEqual(['Reason: Audit week']);
    expect(detailLines({ type: 'step_completed', notes: null, actsFor: 'helper' })).toEqual([
      'Acted for the assignees: helped out',
    ]);
    expect(detailLines({ actsFor: 'overdue' })).toEqual(['Acted for the assignees: the step was long overdue']);
  });

  it('show how the server ended a step, whether it was simulated, and the log of a script', () => {
    const automated = { kind: 'automated', simulated: false, reportedMs: 1500 };
    expect(detailLines({ report: automated, log: ['one', 'two'] })).toEqual([
      'Ended: by its script, 1.5 s',
      'Log: one\ntwo',
    ]);
    expect(detailLines({ report: { ...automated, simulated: true, reportedMs: null } })).toEqual(['Ended: simulated']);
    expect(detailLines({ simulated: true })).toEqual(['Simulated: yes']);
    expect(detailLines({ report: { kind: 'condition', result: false } })).toEqual(['Ended: the condition is false']);
    expect(detailLines({ report: { kind: 'notification', undeliverable: [] } })).toEqual([
      'Ended: sent to all recipients',
    ]);
    expect(detailLines({ report: { kind: 'notification', undeliverable: ['a (slack)', 'b'] } })).toEqual([
      'Ended: could not be sent to a (slack), b',
    ]);
    expect(detailLines({ report: 'of later times' })).toEqual(['Ended: of later times']);
  });

  it('show times both in the reader’s format and exactly, durations with units, and steps by title', () => {
    expect(detailLines({ dueAt: 0 })).toEqual(['Due: 1. Jan. 1970, 01:00:00 (1970-01-01T00:00:00.000Z)']);
    expect(detailLines({ pausedMs: 90_000 })).toEqual(['Paused for: 1 min 30 s']);
    expect(detailLines({ returnsTo: 'a' })).toEqual(['Returns to: Collect statements']);
  });

  it('omit only empty fields, first activations and fields that other columns show; unknown fields have their own names', () => {
    expect(detailLines({ type: 'step_completed', at: 1, stepId: 'a', activation: 1, notes: null })).toEqual([]);
    expect(detailLines({ activation: 2, weather: ['rain'] })).toEqual(['Activation: 2', 'weather: ["rain"]']);
  });

  it('say how much of a very long text is cut off and where to find the whole text', () => {
    const [line = ''] = detailLines({ reason: 'é'.repeat(4003) });
    expect(line).toContain(`${'é'.repeat(4000)} … (3 more characters: see event 12 of the trail)`);
  });
});
