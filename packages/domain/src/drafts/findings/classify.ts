import { type InputField, type Step, settingsOf } from '../../steps/index.ts';
import { sameJson } from '../../workflows/canonical-json.ts';
import type { WorkflowContent } from '../../workflows/content.ts';
import { sameContent } from '../../workflows/content-hash.ts';
import { movedIds } from '../steps-order.ts';
import { type ChangeFinding, FINDING_CODES, FINDING_EFFECTS, UNCLASSIFIED } from './finding.ts';
import { pathFindings } from './paths.ts';
import { comparedSides, type Sides } from './sides.ts';
import { newStepFindings, stepFindings } from './step-rules.ts';

/** `restoredVersion`: the number of the earlier version whose content the draft has; null if there is none. */
export type ChangeContext = { restoredVersion: number | null };

/**
 * Returns the effects of a draft on runs of its workflow: every control that it weakens, and every change that only a
 * person can judge. The most severe come first, each code in the row order of the old content. 1 000 steps take a few
 * milliseconds.
 *
 * A draft is compared with the version that it is based on and with each baseline: an earlier version that was reviewed.
 * Without the baselines, nobody would see what an unreviewed version between them weakened. If a control is weaker than
 * in a baseline, its finding has the baseline's value, even if the draft doesn't change it.
 *
 * Steps are compared by id. A removed step and an added one with the same type and title are treated as the same step
 * for the approvals before it. An approval with a new id counts as removed.
 * @param baselines earliest first; empty if the version that the draft is based on is the last reviewed one
 * @param live the version that the draft is based on; null if nothing was merged when it was created
 */
export function classify(
  baselines: readonly WorkflowContent[],
  live: WorkflowContent | null,
  draft: WorkflowContent,
  { restoredVersion }: ChangeContext,
): ChangeFinding[] {
  const olds = [...baselines, ...(live ? [live] : [])];
  const found = new Map<string, ChangeFinding>();
  let places: Sides['places']['after'] | undefined;
  for (const old of olds) {
    const sides = comparedSides(old.steps, draft.steps, places);
    places = sides.places.after;
    for (const finding of changesOf(sides)) {
      // Within one comparison, every finding is about a different value, so none is a duplicate.
      const key = olds.length > 1 ? keyOf(finding) : String(found.size);
      if (!found.has(key)) found.set(key, finding);
    }
  }
  const rows = new Map([draft, ...olds].flatMap(({ steps }) => steps.map(({ id }, row) => [id, row] as const)));
  const rowOf = ({ stepId }: ChangeFinding): number => rows.get(stepId ?? '') ?? -1;
  return [...found.values(), ...wholeFindings(live, draft, [...found.values()], restoredVersion)].toSorted(
    (one, other) => weightOf(one) - weightOf(other) || rowOf(one) - rowOf(other),
  );
}

/**
 * Like `classify`, but returns a single finding if the comparison fails. An error therefore never reduces the number of
 * people who have to approve.
 * @param onError receives the error
 */
export function findingsOf(
  onError: (error: unknown) => void,
  ...compared: Parameters<typeof classify>
): ChangeFinding[] {
  try {
    return classify(...compared);
  } catch (error) {
    onError(error);
    return [UNCLASSIFIED];
  }
}

/** Returns the findings of the new content compared with the old one. */
const changesOf = (sides: Sides): ChangeFinding[] => [
  ...[...sides.was.values()].flatMap((step) => stepFindings(sides, step)),
  ...[...sides.now.values()].flatMap((step) => (sides.was.has(step.id) ? [] : newStepFindings(sides, step))),
  ...pathFindings(sides),
];

/**
 * Findings with the same key are duplicates, and the earliest baseline's is used. Findings that list steps are
 * duplicates only if they are identical.
 */
function keyOf(finding: ChangeFinding): string {
  const { code, stepId } = finding;
  const isList = 'how' in finding && ['before', 'after', 'between', 'branches', 'waits'].includes(finding.how);
  return isList ? JSON.stringify(finding) : `${code} ${'how' in finding ? finding.how : ''} ${stepId}`;
}

const HOW = ['before', 'start', 'after', 'setting', 'between'];

function weightOf(finding: ChangeFinding): number {
  const [effect, code] = [FINDING_EFFECTS.indexOf(finding.effect), FINDING_CODES.indexOf(finding.code)];
  const how = 'how' in finding ? HOW.indexOf(finding.how) + 1 : 0;
  return (effect * FINDING_CODES.length + code) * (HOW.length + 1) + how;
}

/** Returns the findings about the whole draft. None of them needs an approval. */
function wholeFindings(
  live: WorkflowContent | null,
  draft: WorkflowContent,
  found: readonly ChangeFinding[],
  restoredVersion: number | null,
): ChangeFinding[] {
  const whole = { stepId: null, title: '', effect: 'neutral', before: null } as const;
  const restored: ChangeFinding[] =
    restoredVersion === null ? [] : [{ ...whole, code: 'restored_version', after: restoredVersion }];
  if (live === null) return [...restored, { ...whole, code: 'new_workflow', after: null }];
  const isSame = (was: Step, is: Step | undefined) =>
    was === is || (is !== undefined && sameJson(withoutTexts(was), withoutTexts(is)));
  const areSame = live.steps.length === draft.steps.length;
  if (areSame && live.steps.every((step, row) => isSame(step, draft.steps[row]))) {
    return sameContent(live, draft) ? restored : [...restored, { ...whole, code: 'text_only', after: null }];
  }
  const isReordered = found.some(({ code }) => code === 'reordered') || movedIds(live.steps, draft.steps).size === 0;
  return isReordered ? restored : [...restored, { ...whole, code: 'reordered', how: 'rows', after: null }];
}

function withoutFieldTexts(field: InputField): InputField {
  const { help: _, ...rest } = field;
  return { ...rest, label: '' };
}

/** Returns a step without the texts that only people read. */
function withoutTexts(step: Step): Step {
  const config: Record<string, unknown> = { ...step.config };
  for (const [name, { isTemplate }] of settingsOf(step.type)) if (isTemplate) delete config[name];
  if (step.type === 'manual' && step.config.fields) {
    config['fields'] = step.config.fields.map(withoutFieldTexts);
  }
  return { ...step, title: '', description: '', config };
}
