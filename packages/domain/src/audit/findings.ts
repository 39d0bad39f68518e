import type { ChainProblem } from './event-problems.ts';

/**
 * What verification of a bundle can find, besides what can be wrong with an event:
 * - `unreadable`: a line is not one of a bundle
 * - `rewrite`: the events up to a signed checkpoint are not those that it was signed for
 * - `root`: a checkpoint names the right last event and another root
 * - `signature`: a checkpoint or the end is not signed by a known key, or has another form
 * - `bundle`: the file is not as it was exported
 * - `truncation`: a checkpoint from before the export covers more events than there are
 * - `cut`: the file ends before its end
 * - `unsealed`: no signed checkpoint covers the last events
 * - `foreign`: checkpoints were given, and none is of this organization
 */
export type FindingKind =
  | ChainProblem
  | 'unreadable'
  | 'rewrite'
  | 'root'
  | 'signature'
  | 'bundle'
  | 'truncation'
  | 'cut'
  | 'unsealed'
  | 'foreign';

/** One thing that is wrong. `seq` is the event or the checkpoint's size, `line` counts from 1; null where there is none. */
export type Finding = { kind: FindingKind; seq: number | null; line: number | null };

/** Is told of a finding. */
export type Find = (kind: FindingKind, at?: { seq?: number | null; line?: number | null }) => void;

/** `incomplete`: all that is there holds, and it is not shown to be all. */
export type BundleVerdict = 'intact' | 'tampered' | 'incomplete';

const INCOMPLETE: readonly FindingKind[] = ['truncation', 'cut', 'unsealed', 'foreign'];

/** What the findings come to. */
export function verdictOf(findings: readonly Finding[]): BundleVerdict {
  if (findings.length === 0) return 'intact';
  return findings.every(({ kind }) => INCOMPLETE.includes(kind)) ? 'incomplete' : 'tampered';
}

/**
 * Findings in the order in which a person should read them: first what was tampered with, by the number of the event, then
 * what is missing. Those of no event come last, in the order in which they were found.
 */
export function inOrder(findings: readonly Finding[]): Finding[] {
  const rank = ({ kind, seq }: Finding): [number, number] => [
    INCOMPLETE.includes(kind) ? 1 : 0,
    seq ?? Number.POSITIVE_INFINITY,
  ];
  return findings.toSorted((one, other) => {
    const [[kind, seq], [otherKind, otherSeq]] = [rank(one), rank(other)];
    return kind - otherKind || (seq === otherSeq ? 0 : seq - otherSeq);
  });
}

const SENTENCES: Readonly<Record<FindingKind, (of: string) => string>> = {
  organization: (of) => `${of} is of another organization`,
  gap: (of) => `${of} is missing or not in its place`,
  order: (of) => `${of} is earlier than the event before it`,
  link: (of) => `${of} does not follow from the event before it`,
  hash: (of) => `${of} is not what its hash was made of`,
  digest: (of) => `${of} says something else than what was recorded`,
  form: (of) => `${of} is not in the form in which events are recorded`,
  derived: (of) => `${of} is filed under something else than it says`,
  erased: (of) => `${of} lost its content, and no later event says that it was erased`,
  unreadable: (of) => `${of} can't be read`,
  rewrite: (of) => `The events up to ${of} are not those that were sealed`,
  root: (of) => `The checkpoint of ${of} has the wrong root`,
  signature: (of) => `${of} carries a signature that is not by a known key`,
  bundle: () => 'The file is not as it was exported',
  truncation: (of) => `Events are missing at the end: a checkpoint proves them up to ${of}`,
  cut: () => 'The file is cut off: its signed end is missing',
  unsealed: (of) => `No checkpoint covers the events from ${of} on`,
  foreign: () => 'None of the checkpoints is of this organization: nothing shows whose trail this is',
};

/** A finding as a sentence for a person. */
export function findingInWords({ kind, seq, line }: Finding): string {
  const named = seq !== null ? `event ${seq}` : line !== null ? `line ${line}` : 'the file';
  const sentence = SENTENCES[kind](named);
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
