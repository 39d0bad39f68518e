import { buffer } from 'node:stream/consumers';
import type { WorkflowDocument } from '@stet/contract';
import {
  type DescribedField,
  type DescribedStep,
  type Way,
  describeSteps,
  stepsInWords,
  wayInWords,
} from '@stet/presentation/documentation';
import { STEP_KINDS } from '@stet/domain/steps';
import { displayTitle, isolated } from '@stet/domain/workflows';
import { type DateForm, readerDates } from '@stet/presentation/reader-dates';
import { type Block, type Fact, type OpenPdf, type Pdf, endWith } from '../../../kernel/pdf.ts';
import { documentFacts } from './facts.ts';
import { type TaskBlock, taskBlocks } from './task-blocks.ts';

type Printing = {
  organization: string;
  /** `by` is the name of the person who exports the document, and `at` is in epoch milliseconds. */
  by: string;
  at: number;
  form: DateForm;
};

// Documents with more steps than this have a table of contents.
const LONG = 8;
const INDENT = 26;

/**
 * Writes a version as a PDF with dates in the reader's format: title, facts, description, a table of contents if the
 * document is long, and each step with its task. Returns the bytes. Rejects once `signal` is aborted.
 */
export async function writePdf(
  openPdf: OpenPdf,
  document: WorkflowDocument,
  { organization, by, at, form }: Printing,
  signal: AbortSignal = new AbortController().signal,
): Promise<Buffer> {
  const title = displayTitle(document.key, document.metadata.title);
  const { moment } = readerDates(form);
  const printed = `Printed ${moment(at)} (${new Date(at).toISOString()}) by ${isolated(by)}`;
  const pdf = await openPdf({
    title,
    author: organization,
    createdAt: at,
    runningHead: [title, `${document.label}  ·  ${document.contentHash.slice(0, 16)}`],
    foot: printed,
  });
  endWith(pdf.bytes, signal);
  const [bytes] = await Promise.all([buffer(pdf.bytes), write(pdf, document, { organization, title, moment })]);
  return bytes;
}

async function write(
  pdf: Pdf,
  document: WorkflowDocument,
  { organization, title, moment }: { organization: string; title: string; moment: (at: string) => string },
): Promise<void> {
  pdf.newPage();
  pdf.mark('document', title);
  await pdf.text({ text: organization, style: 'body', ink: 'meta' });
  pdf.space(4);
  await pdf.heading(1, { text: title, style: 'display' }, { indent: 0 });
  pdf.space(12);
  const facts = documentFacts(document, moment).map(([label, value, moments]): Fact => {
    const exact = moments?.map((at) => new Date(at).toISOString()).join('  ·  ');
    return [label, [{ text: value, style: 'body' }, ...(exact ? [{ text: exact, style: 'code' } as const] : [])]];
  });
  await pdf.facts([...facts, ['Content hash', { text: document.contentHash, style: 'code' }]]);
  pdf.space(8);
  pdf.hairline();
  await writeContent(pdf, document);
  await pdf.finish();
}

/** Writes the description, a table of contents if there are many steps, and each step with its task. */
export async function writeContent(
  pdf: Pdf,
  { metadata, steps }: Pick<WorkflowDocument, 'metadata' | 'steps'>,
): Promise<void> {
  if (metadata.description.trim() !== '') await writeTask(pdf, metadata.description, 0);
  pdf.space(16);
  const described = describeSteps(steps);
  if (described.length > LONG) await writeContents(pdf, described);
  for (const [n, step] of described.entries()) {
    // In points, so that no title is alone at the bottom of a page.
    pdf.keepTogether(78);
    if (n === 0) pdf.mark('steps', 'Steps');
    pdf.mark(markOf(step), `${step.number}. ${step.title}`, 2);
    await pdf.group('section', () => writeStep(pdf, step));
  }
}

const markOf = ({ number }: { number: number }): string => `step-${number}`;

async function writeContents(pdf: Pdf, steps: readonly DescribedStep[]): Promise<void> {
  pdf.keepTogether(150);
  pdf.mark('contents', 'Contents');
  await pdf.heading(2, { text: 'Contents', style: 'heading' });
  pdf.space(5);
  const table = await pdf.table([
    { head: '#', share: 8, align: 'right' },
    { head: 'Step', share: 92 },
    { head: 'SLA', share: 28 },
    { head: 'Page', share: 10, align: 'right' },
  ]);
  for (const step of steps) {
    await table.row([
      { text: String(step.number), style: 'body', ink: 'meta' },
      { text: step.title, style: 'name', to: markOf(step) },
      { text: step.step.sla, style: 'body', ink: 'second' },
      { text: '', style: 'body', pageOf: markOf(step) },
    ]);
  }
  pdf.space(20);
}

async function writeStep(pdf: Pdf, described: DescribedStep): Promise<void> {
  const { number, title, step, after, form, message, rules, ways } = described;
  await pdf.heading(
    2,
    { text: title, style: 'subtitle', ink: 'text' },
    { indent: INDENT, marker: { text: String(number), style: 'subtitle', ink: 'meta' } },
  );
  const facts = [STEP_KINDS[step.type].name, step.assignee || 'Unassigned', ...(step.sla === '' ? [] : [step.sla])];
  await pdf.read({ text: facts.join('  ·  '), style: 'body', ink: 'meta' }, { indent: INDENT });
  if (step.description.trim() !== '') await writeTask(pdf, step.description, INDENT);
  if (form.length > 0) await writeForm(pdf, form);
  if (message !== '') await writeLines(pdf, message);
  const notes: Block[] = [
    ...(after.length > 0 ? [note(`After ${stepsInWords(after)}.`)] : []),
    ...rules.map((rule) => note(`${rule}.`)),
    ...ways.map(wayBlock),
  ];
  if (notes.length > 0) pdf.space(5);
  for (const block of notes) await pdf.read(block, { indent: INDENT, bar: false });
  pdf.space(16);
}

async function writeForm(pdf: Pdf, form: readonly DescribedField[]): Promise<void> {
  pdf.space(8);
  const table = await pdf.table([
    { head: 'Field', share: 34 },
    { head: 'Answer', share: 50 },
    { head: '', share: 20 },
  ]);
  for (const { label, answer, required, help } of form) {
    await table.row(
      [
        { text: label, style: 'body' },
        { text: answer, style: 'body', ink: 'second' },
        { text: required, style: 'body', ink: 'second' },
      ],
      ...(help === '' ? [] : [{ text: help, style: 'body', ink: 'meta' } as const]),
    );
  }
  pdf.space(4);
}

const note = (text: string): Block => ({ text, style: 'body', ink: 'second' });

function wayBlock(way: Way): Block {
  const { before, expression, after } = wayInWords(way);
  if (expression === null) return { text: `${before} → ${after}`, style: 'body' };
  const from = before.length + 1;
  return {
    text: `${before} ${expression} → ${after}`,
    style: 'body',
    spans: [{ from, to: from + expression.length, as: 'code' }],
  };
}

/** Writes the text of a notification's message line by line. */
async function writeLines(pdf: Pdf, text: string): Promise<void> {
  pdf.space(5);
  for (const line of text.split(/\r\n?|\n/))
    await pdf.read({ text: line, style: 'read', ink: 'second' }, { indent: INDENT + 12, bar: true });
}

async function writeTask(pdf: Pdf, text: string, indent: number): Promise<void> {
  for (const block of taskBlocks(text, indent)) await writeBlock(pdf, block);
}

async function writeBlock(pdf: Pdf, block: TaskBlock): Promise<void> {
  switch (block.kind) {
    case 'read':
      pdf.space(block.above);
      return pdf.read(block.block, block.layout);
    case 'group':
      return pdf.group(block.group, async () => {
        for (const part of block.blocks) await writeBlock(pdf, part);
      });
    case 'rule':
      pdf.space(8);
      pdf.hairline();
      return pdf.space(4);
    case 'table': {
      pdf.space(8);
      const table = await pdf.table(
        block.head.map(({ text }, n) => ({ head: text, share: 1, align: block.align[n] ?? 'left' })),
      );
      for (const row of block.rows) await table.row(row);
      return pdf.space(4);
    }
  }
}
