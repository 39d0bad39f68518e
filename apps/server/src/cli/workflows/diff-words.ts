import type { Diff } from '@stet/contract';
import { type Impact, nameSteps } from '@stet/domain/drafts';
import { fieldChanges, fieldValues, metadataChanges } from '@stet/presentation/change-words';
import { impactLines } from '@stet/presentation/impact-words';
import type { Step } from '@stet/domain/steps';
import { counted, shown } from '../client/shown.ts';

/** The changes in a file. */
export type FileDiff = Pick<Diff, 'summary' | 'total' | 'detailed' | 'metadata'> & {
  key: string;
  file: string;
  /** The live version that the file is compared with. Null if there is none. */
  against: number | null;
  impact: Impact;
  /** The reason why a push would refuse the file. Null if there is none. */
  conflict: string | null;
};

const SIGNS = { added: '+', removed: '-', modified: '~' } as const;

/** Writes a diff as text: the counts, each change with its fields as the review shows them, and the impact. */
export function diffInWords(diff: FileDiff, steps: readonly Step[], before: readonly Step[]): string {
  const titleOf = nameSteps([...before, ...steps]);
  const numbers = new Map(steps.map(({ id }, index) => [id, index + 1]));
  const { added, removed, modified } = diff.summary;
  const unchanged = steps.length - added.length - modified.length;
  const lines = [
    `${diff.key}  (${diff.file}, against ${diff.against === null ? 'nothing: it was never live' : `v${diff.against}`})`,
    ...(diff.conflict === null ? [] : [`  CONFLICT: ${diff.conflict}`]),
    `  ${added.length} added · ${removed.length} removed · ${modified.length} modified · ${unchanged} unchanged`,
    ...metadataChanges(diff.metadata).flatMap((change) => beforeAndAfter(change, '  ')),
    ...diff.detailed.flatMap((entry) => {
      const head = `${SIGNS[entry.type]} ${entry.type === 'removed' ? '' : `${numbers.get(entry.id) ?? ''} `}${titleOf(entry.id)}  [${entry.id}]`;
      const body =
        entry.type === 'modified'
          ? fieldChanges(entry, titleOf, [...before, ...steps]).flatMap((change) => beforeAndAfter(change, '      '))
          : fieldValues(entry, titleOf, [...before, ...steps]).flatMap(({ label, text }) => [
              `      ${label}:`,
              ...quoted('', text, '        '),
            ]);
      return ['', `  ${head}`, ...body];
    }),
    ...(diff.total > diff.detailed.length
      ? ['', `  … and ${counted(diff.total - diff.detailed.length, 'more changed step')}`]
      : []),
    '',
    '  Impact',
    ...impactLines(diff.impact, titleOf).flatMap(({ label, value, details }) => [
      `    ${label}: ${value}`,
      ...details.flatMap((detail) => quoted('', detail, '      ')),
    ]),
    '',
  ];
  return `${lines.map(shown).join('\n')}\n`;
}

function beforeAndAfter(
  { label, before, after }: { label: string; before: string; after: string },
  indent: string,
): string[] {
  return [
    `${indent}${label}:`,
    ...(before === '' ? [] : quoted('- ', before, `${indent}  `)),
    ...(after === '' ? [] : quoted('+ ', after, `${indent}  `)),
  ];
}

const quoted = (sign: string, text: string, indent: string): string[] =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${indent}${sign}${line}`);
