import type { Block, Cell, Pdf } from '../../../kernel/pdf.ts';
import type { TrailEvent, TrailRun } from '../trail.ts';
import { eventDetails } from './event-details.ts';
import { stepsById } from './steps-part.ts';
import { type Times, actionWords, personBlocks } from './words.ts';

// Maximum length in characters of a detail that is shown in its column. A longer one would make the row too tall, so it
// gets the whole width.
const LONG = 220;

/** Writes the events of a run in chronological order. */
export async function writeHistory(pdf: Pdf, run: TrailRun, times: Times): Promise<void> {
  const steps = stepsById(run.ofVersion.steps);
  const table = await pdf.table([
    { head: 'Event', share: 26, align: 'right' },
    { head: 'Recorded, hash', share: 112 },
    { head: 'Actor', share: 95 },
    { head: 'What', share: 100 },
    { head: 'Details', share: 130 },
  ]);
  for await (const event of run.events) {
    const { actor, data } = event.record ?? {};
    const stepId = typeof data?.stepId === 'string' ? data.stepId : null;
    const details = detailsOf(event, { steps, times });
    const isLong = details.some(({ text }) => text.length > LONG);
    const cells: Cell[] = [
      { text: String(event.seq), style: 'body', ink: 'meta' },
      [...times.blocks(event.at), { text: event.hash.slice(0, 16), style: 'code', ink: 'meta' }],
      actor ? personBlocks(actor) : [{ text: event.actorId, style: 'code' }],
      [
        { text: actionWords(event.action), style: 'body' },
        ...(stepId === null ? [] : [{ text: steps.get(stepId)?.title ?? stepId, style: 'name' } as const]),
      ],
      isLong ? [] : details,
    ];
    await table.row(cells, isLong ? details : undefined);
  }
}

function detailsOf({ record, seq }: TrailEvent, shown: { steps: ReturnType<typeof stepsById>; times: Times }): Block[] {
  if (record === null) {
    return [{ text: 'Personal data was erased from this event. Its hash still links the chain.', style: 'small' }];
  }
  return eventDetails(record.data, shown, seq).map((text) => ({ text, style: 'small', ink: 'second' }));
}
