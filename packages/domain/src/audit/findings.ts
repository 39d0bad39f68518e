import type { ChainProblem } from './event-problems.ts';

/**
 * Findings of the verification of a bundle or a trail, in addition to the problems of a single event:
 * - `unreadable`: a line is not a valid line of a bundle
 * - `rewrite`: the events up to a signed checkpoint differ from the signed ones
 * - `root`: a checkpoint has the right last event but the wrong root
 * - `signature`: a checkpoint or the end is malformed or not signed by a known key
 * - `bundle`: the file differs from the export
 * - `truncation`: a checkpoint from before the export covers more events than there are
 * - `cut`: the file stops before its end line
 * - `unsealed`: no signed checkpoint covers the last events
 * - `foreign`: none of the given checkpoints belongs to this organization
 * - `repeated`: an event has the MAC of an earlier one
 * - `row`: a stored row does not match its events
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
  | 'foreign'
  | 'repeated'
  | 'row';

/** One problem. `seq` is the event's number or the checkpoint's size, `line` counts from 1; null if there is none. */
export type Finding = { kind: FindingKind; seq: number | null; line: number | null };

/** Receives a finding. */
export type Find = (kind: FindingKind, at?: { seq?: number | null; line?: number | null }) => void;

/** `incomplete`: everything in the file is valid, but events are missing or nothing proves that none are. */
export type BundleVerdict = 'intact' | 'tampered' | 'incomplete';

const INCOMPLETE: readonly FindingKind[] = ['truncation', 'cut', 'unsealed', 'foreign'];

/** Returns the overall verdict for these findings. */
export function verdictOf(findings: readonly Finding[]): BundleVerdict {
  if (findings.length === 0) return 'intact';
  return findings.every(({ kind }) => INCOMPLETE.includes(kind)) ? 'incomplete' : 'tampered';
}

/**
 * Sorts findings for display: first tampering, by event number, then missing events. In each group, findings without an
 * event come last, in the order of discovery.
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
  organization: (of) => `${of} belongs to another organization`,
  gap: (of) => `${of} is missing or out of place`,
  order: (of) => `${of} is earlier than the event before it`,
  link: (of) => `${of} does not contain the hash of the event before it`,
  hash: (of) => `${of} does not match its hash`,
  digest: (of) => `${of} differs from what was recorded`,
  form: (of) => `${of} is not in the format of a recorded event`,
  derived: (of) => `${of} is indexed under values that differ from its content`,
  erased: (of) => `${of} has lost its content or claims that other events may lose theirs, but content is never erased`,
  mac: (of) => `${of} was not appended by a server of this installation: its MAC is missing or wrong`,
  unreadable: (of) => `${of} can't be read`,
  rewrite: (of) => `The events up to ${of} differ from the sealed ones`,
  root: (of) => `The checkpoint at ${of} has the wrong root`,
  signature: (of) => `${of} has no valid signature by a known key`,
  bundle: () => 'The file was changed after the export',
  truncation: (of) => `Events are missing at the end: a checkpoint proves that they existed up to ${of}`,
  cut: () => 'The file is cut off: its signed end is missing',
  unsealed: (of) => `No checkpoint covers ${of} or the events after it`,
  repeated: (of) => `${of} repeats an earlier event: it has the same MAC`,
  row: () => 'A stored row does not match its events',
  foreign: () => 'None of the checkpoints belongs to this organization, so nothing proves whose trail this is',
};

/** Returns a finding as a sentence for a person. */
export function findingInWords({ kind, seq, line }: Finding): string {
  const named = seq !== null ? `event ${seq}` : line !== null ? `line ${line}` : 'the file';
  const sentence = SENTENCES[kind](named);
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
