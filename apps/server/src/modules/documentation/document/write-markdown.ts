import type { WorkflowDocument } from '@stet/contract';
import {
  type DescribedField,
  type DescribedStep,
  describeSteps,
  stepsInWords,
  wayInWords,
} from '@stet/presentation/documentation';
import { STEP_KINDS } from '@stet/domain/steps';
import { displayTitle } from '@stet/domain/workflows';
import { documentFacts } from './facts.ts';
import { embeddedTask } from './embedded-task.ts';

// Documents with more steps than this have a table of contents.
const LONG = 8;

/**
 * Writes a version as a Markdown document: title, facts, description, a table of contents if the document is long, and
 * each step with its task. Calls `breathe` before each step, so that other requests can run.
 */
export async function writeMarkdown(document: WorkflowDocument, breathe: () => Promise<void>): Promise<string> {
  const { key, metadata } = document;
  const steps = describeSteps(document.steps);
  const parts = [
    `# ${inline(displayTitle(key, metadata.title))}`,
    documentFacts(document)
      .map(([label, value]) => `- **${label}:** ${inline(value)}`)
      .join('\n'),
  ];
  if (metadata.description.trim() !== '') parts.push(embeddedTask(metadata.description, 1));
  if (steps.length > LONG)
    parts.push('## Contents', steps.map(({ number, title }) => `${number}. ${inline(title)}`).join('\n'));
  parts.push('## Steps');
  for (const step of steps) {
    await breathe();
    parts.push(...stepParts(step));
  }
  return `${parts.join('\n\n')}\n`;
}

function stepParts({ number, title, step, after, form, message, rules, ways }: DescribedStep): string[] {
  const facts = [STEP_KINDS[step.type].name, step.assignee || 'Unassigned', ...(step.sla === '' ? [] : [step.sla])];
  const lines = [
    ...(after.length > 0 ? [`After ${stepsInWords(after)}.`] : []),
    ...rules.map((rule) => `${inline(rule)}.`),
    ...ways.map((way) => {
      const { before, expression, after: to } = wayInWords(way);
      return [inline(before), ...(expression === null ? [] : [code(expression)]), `→ ${to}`].join(' ');
    }),
  ];
  return [
    `### ${number}. ${inline(title)}`,
    `*${facts.map(inline).join(' · ')}*`,
    ...(step.description.trim() === '' ? [] : [embeddedTask(step.description, 3)]),
    ...(form.length > 0 ? ['Form:', form.map(fieldLine).join('\n')] : []),
    ...(message === '' ? [] : [`Message:\n\n${fenced(message)}`]),
    ...(lines.length > 0 ? [lines.map((line) => `- ${line}`).join('\n')] : []),
  ];
}

function fieldLine({ label, answer, required, help }: DescribedField): string {
  const about = `${inline(answer)} · ${inline(required)}`;
  return `- **${inline(label)}:** ${help === '' ? about : `${about} · ${inline(help)}`}`;
}

/** One line of text, with Markdown characters escaped. */
const inline = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>|~]/g, String.raw`\$&`)
    .replace(/^(#{1,6}|[+-])(?=\s|$)/, String.raw`\$1`)
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, String.raw`$1\$2`);

/** Formats inline code, delimited by more backticks than the longest run inside it. */
function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  const fence = '`'.repeat(longestRun(line) + 1);
  return fence.length === 1 ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}

function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text.replaceAll(/\r\n?/g, '\n')}\n${fence}`;
}

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
