import { STARTER, assignedOrgRole, isEmail } from '../../access/assignee.ts';
import { type InputField, kindOf, type NotificationChannel } from '../../steps/index.ts';
import { isolated } from '../../workflows/isolated.ts';
import { visibleText } from '../../workflows/hidden-characters.ts';
import type { ChangeFinding, NamedSteps } from './finding.ts';

type WriteName = (name: string) => string;

/**
 * Returns a finding as a sentence without a full stop, for people who don't know the codes: 'CFO approval is no longer
 * required before Pay'. Right-to-left names are isolated.
 */
export const findingSentence = (finding: ChangeFinding): string => sentenceOf(finding, isolated);

/** Like `findingSentence`, but for PDFs, where each text keeps its own direction anyway. */
export const printedFindingSentence = (finding: ChangeFinding): string => sentenceOf(finding, (name) => name);

function sentenceOf(finding: ChangeFinding, named: WriteName): string {
  const title = named(finding.title);
  switch (finding.code) {
    case 'approval_removed': {
      const needed = finding.before === 1 ? '' : `: it needed ${finding.before} approvers`;
      return `${title} is no longer an approval of this workflow${needed}`;
    }
    case 'approval_bypassed': {
      if (finding.how === 'start') return `${title} is active from the start of the run`;
      const control = finding.signOff ? `The sign-off of ${title}` : title;
      const relation = finding.how === 'before' ? 'is no longer required before' : 'no longer waits for';
      return `${control} ${relation} ${listed(finding.before, named)}`;
    }
    case 'fewer_approvers':
      return `${title} needs ${approversInWords(finding.after)} instead of ${finding.before}`;
    case 'approver_widened':
      return approverInWords(title, finding, named);
    case 'separation_dropped':
      return finding.how === 'setting'
        ? `${title} can be approved by the person who completed the previous step`
        : `A step that a person performs or may skip now comes between ${named(finding.before.title)} and its independent approval ${title}: ${listed(finding.after, named)}`;
    case 'sign_off_dropped':
      return `${title} no longer needs a second person's sign-off`;
    case 'rejection_softened': {
      const after = `returns to ${named(finding.after?.title ?? '')}`;
      return finding.before === null
        ? `A rejection of ${title} ${after} instead of ending the run`
        : `A rejection of ${title} ${after} instead of ${named(finding.before.title)}, so fewer steps are repeated`;
    }
    case 'skip_allowed':
      return `${title} can be skipped`;
    case 'clock_removed':
      return `${title} no longer has an SLA: it was ${visibleText(finding.before.text)}`;
    case 'clock_loosened':
      return `${title} has more time: ${visibleText(finding.before.text)} → ${visibleText(finding.after.text)}`;
    case 'evidence_dropped':
      return `${title} asks for less evidence: ${fieldsInWords(finding, named)}`;
    case 'field_loosened':
      return `${title} asks for less: ${fieldsInWords(finding, named)}`;
    case 'recipient_lost':
      return finding.how === 'recipients'
        ? `${title} is no longer sent to ${namesInWords(without(finding.before, finding.after), named)}`
        : `${title} is no longer sent by ${without(finding.before, finding.after).map(channelInWords).join(' or ')}`;
    case 'type_changed':
      return `${title} changed its type: ${kindOf(finding.before).name} → ${kindOf(finding.after).name}`;
    case 'condition_changed':
      return conditionInWords(title, finding, named);
    case 'script_changed':
      if (finding.before === null) return `${title} runs a new script`;
      if (finding.after.trim() === '') return `${title} no longer runs its script`;
      return finding.before.trim() === '' ? `${title} runs a script now` : `${title} runs a different script`;
    case 'step_removed':
      return `${title} was removed`;
    case 'people_changed':
      return `The people responsible for ${title} changed: ${peopleInWords(finding, named)}`;
    case 'reordered':
      return finding.how === 'rows'
        ? 'Steps have a different position in the list'
        : `${listed(finding.before, named)} no longer ${isOne(finding.before) ? 'waits' : 'wait'} for ${listed(finding.waitedFor, named)}`;
    case 'restored_version':
      return `The content is the same as in v${finding.after}`;
    case 'new_workflow':
      return 'This workflow is new';
    case 'text_only':
      return 'Only the wording changed';
    case 'unclassified':
      return 'An error in Stet prevented the check for lost controls. Read every change as if it removed one';
  }
}

/** Maximum number of names in a sentence; the others are counted. */
const NAMED_IN_SENTENCE = 5;

function listed({ steps, more }: NamedSteps, named: WriteName): string {
  return inList(
    steps.map(({ title }) => named(title)),
    more,
  );
}

function inList(names: readonly string[], more = 0): string {
  const shown = names.slice(0, NAMED_IN_SENTENCE);
  const rest = names.length - shown.length + more;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return [shown.slice(0, -1).join(', '), shown.at(-1)].filter(Boolean).join(' and ');
}

const isOne = ({ steps, more }: NamedSteps): boolean => steps.length + more === 1;

const without = <T>(list: readonly T[], others: readonly T[]): T[] => list.filter((each) => !others.includes(each));

const namesInWords = (names: readonly string[], named: WriteName): string =>
  inList(names.map((name) => named(visibleText(name))));

const channelInWords = (channel: NotificationChannel): string =>
  ({ email: 'email', slack: 'Slack', 'in-app': 'a notification in the app' })[channel];

const approversInWords = (count: number): string => (count === 1 ? '1 approver' : `${count} approvers`);

type People = Pick<Extract<ChangeFinding, { code: 'approver_widened' }>, 'before' | 'after' | 'signOff'>;

function peopleInWords({ before, after }: Pick<People, 'before' | 'after'>, named: WriteName): string {
  const names = (list: readonly string[]) =>
    list.length === 0 ? 'anyone' : list.map((name) => named(visibleText(name))).join(', ');
  return `${names(before)} → ${names(after)}`;
}

function approverInWords(title: string, { before, after, signOff }: People, named: WriteName): string {
  if (after.length === 0) {
    const anyone = signOff ? 'anyone who can act on it' : 'anyone who can review';
    const names = before.map((name) => named(visibleText(name))).join(', ');
    return `${title}: ${anyone} may ${signOff ? 'sign it off' : 'decide'} now (${names} → ${anyone})`;
  }
  const change = peopleInWords({ before, after }, named);
  const isReplaced = !before.some((name) => after.includes(name)) && before.some(isEmail) && !after.some(isEmail);
  return isReplaced
    ? `${title}: a named approver was replaced by ${standInWord(after)} (${change})`
    : `${title}: more people may approve now (${change})`;
}

function standInWord(names: readonly string[]): string {
  if (names.includes(STARTER)) return 'whoever starts the run';
  return names.some((name) => assignedOrgRole(name) !== null) ? 'a role' : 'a group';
}

function conditionInWords(
  title: string,
  finding: Extract<ChangeFinding, { code: 'condition_changed' }>,
  named: WriteName,
): string {
  if (finding.how === 'expression') {
    if (finding.before === null) return `${title} is a new condition, so runs may skip what follows it`;
    return `${title} is decided by a different condition`;
  }
  const { before, after } = finding;
  const [lost, gained] = [listed(before, named), listed(after, named)];
  if (gained === '') return `Answers of ${title} that led to ${lost} no longer do`;
  const now = `runs may skip ${gained} now`;
  return lost === '' ? `After ${title}, ${now}` : `Answers of ${title} that led to ${lost} no longer do; ${now}`;
}

function fieldsInWords(
  { before, after }: { before: readonly InputField[]; after: readonly InputField[] },
  named: WriteName,
): string {
  const now = new Map(after.map((field) => [field.id, field]));
  return inList(
    before.map((was) => {
      const is = now.get(was.id);
      const label = named(visibleText(is?.label || was.label));
      if (is === undefined) return `${label} was removed`;
      if (is.requiredIf !== undefined && (was.required || was.requiredIf !== undefined))
        return `${label} is required ${was.required ? 'only under a' : 'under a different'} condition`;
      if ((was.required || was.requiredIf !== undefined) && !is.required) return `${label} is optional`;
      return `${label} accepts more answers`;
    }),
  );
}
