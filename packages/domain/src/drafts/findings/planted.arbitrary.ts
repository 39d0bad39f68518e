import fc from 'fast-check';
import type { ConditionStep, InputField, Step, StepType } from '../../steps/index.ts';
import { graphOf } from '../../workflows/graph.ts';
import { workflowOf } from '../../workflows/workflow.arbitrary.ts';

/** A change to steps; `pick` chooses among the places where it is possible. Null if there is none. */
export type Edit = (steps: readonly Step[], pick: number) => Step[] | null;

const FIELDS: InputField[] = [
  { id: 'amount', label: 'Amount', kind: 'number', min: 1, max: 900, required: true },
  { id: 'country', label: 'Country', kind: 'choice', options: ['DE', 'FR'], required: true },
  { id: 'passport', label: 'Passport', kind: 'file_link', required: true },
];

/** Test support: a workflow of up to nine steps. Most of its steps have a control that an edit can weaken. */
export const guardedWorkflow: fc.Arbitrary<Step[]> = fc
  .tuple(workflowOf({ maxSteps: 9 }), fc.array(fc.nat(11), { minLength: 9, maxLength: 9 }))
  .map(([steps, picks]) => steps.map((step, at) => guarded(withDetails(step, picks[at] ?? 0), picks[at] ?? 0)));

const withSkip = (step: Step, skip: 'never' | undefined): Step =>
  ({ ...step, config: { ...step.config, skip } }) as Step;

const guarded = (step: Step, pick: number): Step => (pick % 5 === 0 ? withSkip(step, 'never') : step);

function withDetails(step: Step, pick: number): Step {
  const sla = pick % 3 === 0 ? step.sla : `${1 + pick} h`;
  switch (step.type) {
    case 'manual':
      return { ...step, sla, config: { ...step.config, ...(pick % 2 && { fields: FIELDS }) } };
    case 'approval': {
      const names = [
        'Unassigned',
        'cfo@example.com',
        'reviewer',
        'ceo@example.com, group:finance',
        'group:finance',
        'starter',
      ];
      const assignee = names[pick % names.length] ?? '';
      return { ...step, sla, assignee };
    }
    case 'automated':
      return { ...step, sla, config: { script: `return ${pick}` } };
    case 'condition':
      return { ...step, config: { ...step.config, condition: `amount > ${pick}` } };
    case 'notification':
      return { ...step, sla, config: { recipients: ['a@example.com', 'b@example.com'], channels: ['email', 'slack'] } };
  }
}

/** Returns an edit that applies `change` to one step; `change` returns null for steps that it can't change. */
const editOf =
  (change: (step: Step, steps: readonly Step[]) => Step | null): Edit =>
  (steps, pick) => {
    const possible = steps.filter((step) => change(step, steps));
    const chosen = possible[pick % (possible.length || 1)];
    if (chosen === undefined) return null;
    return steps.map((step) => (step === chosen ? (change(step, steps) ?? step) : step));
  };
const editOfType = <T extends StepType>(
  type: T,
  change: (step: Extract<Step, { type: T }>, steps: readonly Step[]) => Step | null,
): Edit => editOf((step, steps) => (step.type === type ? change(step as Extract<Step, { type: T }>, steps) : null));

const chosen = <Item>(items: readonly Item[], pick: number): Item | undefined => items[pick % (items.length || 1)];

/** Returns the steps with each old id in links and settings replaced with the new ids. */
const relinked = (steps: readonly Step[], idsFor: (id: string) => readonly string[]): Step[] =>
  steps.map((step) => {
    const next = [...new Set(step.next.flatMap(idsFor))].filter((id) => id !== step.id);
    if (step.type === 'condition') {
      const { trueNext, falseNext, ...config } = step.config;
      const [yes, no] = [trueNext, falseNext].map((id) => (id === undefined ? undefined : idsFor(id)[0]));
      return { ...step, next, config: { ...config, ...(yes && { trueNext: yes }), ...(no && { falseNext: no }) } };
    }
    if (step.type === 'approval' && step.config.onReject) {
      const { onReject, ...config } = step.config;
      const [to] = idsFor(onReject);
      return { ...step, next, config: { ...config, ...(to && { onReject: to }) } };
    }
    return { ...step, next };
  });

const remove = (steps: readonly Step[], gone: Step): Step[] =>
  relinked(
    steps.filter((step) => step !== gone),
    (id) => (id === gone.id ? gone.next : [id]),
  );

const renameIn = (steps: readonly Step[], names: Record<string, string>): Step[] =>
  relinked(
    steps.map((step) => ({ ...step, id: names[step.id] ?? step.id })),
    (id) => [names[id] ?? id],
  );

const approvals = (steps: readonly Step[]) => steps.filter(({ type }) => type === 'approval');

/** Reroutes the steps before an approval so that they bypass it. */
const rewire =
  (keepsApproval: boolean): Edit =>
  (steps, pick) => {
    const approval = chosen(
      approvals(steps).filter(({ id, next }) => next.length > 0 && steps.some((step) => step.next.includes(id))),
      pick,
    );
    if (approval === undefined) return null;
    return steps.map((step) => {
      if (step === approval) return { ...step, next: [] };
      if (!step.next.includes(approval.id)) return step;
      if (step.type === 'condition') return bypassing(step, approval, keepsApproval);
      const next = step.next.filter((id) => keepsApproval || id !== approval.id);
      return { ...step, next: [...new Set([...next, ...approval.next])] };
    });
  };

function bypassing(step: ConditionStep, approval: Step, keepsApproval: boolean): Step {
  const next = [...new Set([...step.next.filter((id) => keepsApproval || id !== approval.id), ...approval.next])];
  const { condition } = step.config;
  return { ...step, next, config: { ...(condition && { condition }) } };
}

const looser = (sla: string): string | null => {
  const [, hours] = /^(\d+) ?h$/.exec(sla) ?? [];
  return hours === undefined ? null : `${Number(hours) * 60 + 6}m`;
};

const newCondition = (steps: readonly Step[], before: Step): Step[] => [
  ...relinked(steps, (id) => [id === before.id ? 'check' : id]),
  {
    id: 'check',
    type: 'condition',
    title: 'Check',
    description: '',
    assignee: 'system',
    sla: '',
    next: [before.id, ...before.next],
    config: { condition: 'false', trueNext: before.id, ...(before.next[0] && { falseNext: before.next[0] }) },
  },
];

const withFields = (change: (fields: readonly InputField[]) => InputField[]) =>
  editOfType('manual', (step) => {
    const { fields } = step.config;
    return fields ? { ...step, config: { ...step.config, fields: change(fields) } } : null;
  });

/** Test support: edits that each weaken a workflow, if they are possible. */
export const WEAKENINGS: Record<string, Edit> = {
  'approval removed': (steps, pick) => {
    const gone = chosen(approvals(steps), pick);
    return gone ? remove(steps, gone) : null;
  },
  'rewired past an approval': rewire(false),
  'an approval beside the path': rewire(true),
  'a branch past an approval': (steps, pick) => {
    const approval = chosen(
      approvals(steps).filter(({ next }) => next.length > 0),
      pick,
    );
    return approval ? newCondition(steps, approval) : null;
  },
  'ids swapped': (steps, pick) => {
    const one = chosen(approvals(steps), pick);
    const other = steps.find((step) => step !== one && step.type !== 'approval');
    return one && other ? renameIn(steps, { [one.id]: other.id, [other.id]: one.id }) : null;
  },
  'a new id': (steps, pick) => {
    const one = chosen(steps, pick);
    return one ? renameIn(steps, { [one.id]: 'renamed' }) : null;
  },
  'a constant condition': editOfType('condition', (step) => ({
    ...step,
    config: { ...step.config, condition: 'true' },
  })),
  'branches swapped': editOfType('condition', (step) => {
    const { trueNext, falseNext, condition } = step.config;
    if (!trueNext || !falseNext || trueNext === falseNext || !condition) return null;
    return { ...step, config: { condition, trueNext: falseNext, falseNext: trueNext } };
  }),
  'fewer approvers': editOfType('approval', (step) => {
    const votes = step.config.minimumApprovers ?? 1;
    return votes > 1 ? { ...step, config: { ...step.config, minimumApprovers: votes - 1 } } : null;
  }),
  'an approver widened': editOfType('approval', (step) =>
    step.assignee === 'Unassigned' ? null : { ...step, assignee: 'Unassigned' },
  ),
  'one more group': editOfType('approval', (step) =>
    step.assignee === 'Unassigned' ? null : { ...step, assignee: `${step.assignee}, group:legal` },
  ),
  'the starter': editOfType('approval', (step) =>
    ['Unassigned', 'starter'].includes(step.assignee) ? null : { ...step, assignee: 'starter' },
  ),
  'separation dropped': editOfType('approval', (step) =>
    step.config.separateFrom ? { ...step, config: { ...step.config, separateFrom: false } } : null,
  ),
  'a sign-off dropped': editOfType('manual', (step) =>
    step.config.requiresApproval ? { ...step, config: { ...step.config, requiresApproval: false } } : null,
  ),
  'a rejection softened': editOfType('approval', (step, steps) => {
    const [before] = graphOf(steps).previous(step.id);
    return before && !step.config.onReject ? { ...step, config: { ...step.config, onReject: before } } : null;
  }),
  'a clock loosened': editOf((step) => {
    const sla = looser(step.sla);
    return sla === null ? null : { ...step, sla };
  }),
  'a clock removed': editOf((step) => (looser(step.sla) === null ? null : { ...step, sla: '' })),
  'an optional field': withFields((fields) => fields.map((field) => ({ ...field, required: false }))),
  'a field that accepts more': withFields((fields) =>
    fields.map((field) => (field.options ? { ...field, options: [...field.options, 'Other'] } : field)),
  ),
  'a lower minimum': withFields((fields) => fields.map((field) => (field.min ? { ...field, min: 0 } : field))),
  'a higher maximum': withFields((fields) => fields.map((field) => (field.max ? { ...field, max: 90_000 } : field))),
  'evidence dropped': withFields((fields) => fields.filter(({ kind }) => kind !== 'file_link')),
  'another script': editOfType('automated', (step) => ({ ...step, config: { ...step.config, script: 'return 99' } })),
  'a recipient lost': editOfType('notification', (step) => ({
    ...step,
    config: { ...step.config, recipients: ['a@example.com'] },
  })),
  'skipping allowed': editOf((step) => (step.config.skip ? withSkip(step, undefined) : null)),
  'another type': editOf((step) =>
    step.type === 'notification' ? null : { ...step, type: 'notification', config: {} },
  ),
};

/** Test support: edits that only add control or change texts. */
export const HARMLESS: Record<string, Edit> = {
  'other texts': (steps) =>
    steps.map((step) => ({ ...step, title: `${step.title} again`, description: 'In other words' })),
  'another label': withFields((fields) => fields.map((field) => ({ ...field, label: `${field.label}?` }))),
  'another message': editOfType('notification', (step) => ({
    ...step,
    config: { ...step.config, template: 'Please look at {{run.name}}' },
  })),
  'more approvers': editOfType('approval', (step) => ({
    ...step,
    config: { ...step.config, minimumApprovers: (step.config.minimumApprovers ?? 1) + 1 },
  })),
  'a named approver': editOfType('approval', (step) =>
    step.assignee === 'Unassigned' ? { ...step, assignee: 'cfo@example.com' } : null,
  ),
  separation: editOfType('approval', (step) =>
    step.config.separateFrom ? null : { ...step, config: { ...step.config, separateFrom: true } },
  ),
  'a sign-off': editOfType('manual', (step) =>
    step.config.requiresApproval ? null : { ...step, config: { ...step.config, requiresApproval: true } },
  ),
  'a shorter clock': editOf((step) => (looser(step.sla) === null ? null : { ...step, sla: '30m' })),
  'a first clock': editOf((step) => (step.sla === '' ? { ...step, sla: '1 day' } : null)),
  'one more field': withFields((fields) => [...fields, { id: 'note', label: 'Note', kind: 'text', required: true }]),
  'fewer options': withFields((fields) =>
    fields.map((field) => (field.options ? { ...field, options: ['DE'] } : field)),
  ),
  'a lower maximum': withFields((fields) => fields.map((field) => (field.max ? { ...field, max: 100 } : field))),
  'a help': withFields((fields) => fields.map((field) => ({ ...field, help: 'Ask finance' }))),
  'no skipping': editOf((step) => (step.config.skip ? null : withSkip(step, 'never'))),
  'one more recipient': editOfType('notification', (step) => ({
    ...step,
    config: { ...step.config, recipients: [...(step.config.recipients ?? []), 'c@example.com'] },
  })),
  'a rejection that ends the run': editOfType('approval', (step) => {
    const { onReject, ...config } = step.config;
    return onReject ? { ...step, config } : null;
  }),
  'one more approval': (steps, pick) => {
    const before = chosen(steps, pick);
    if (before === undefined) return null;
    const approval: Step = { ...before, id: 'added', type: 'approval', title: 'Added', next: [before.id], config: {} };
    return [...relinked(steps, (id) => [id === before.id ? approval.id : id]), approval];
  },
  'one more wait': (steps, pick) => {
    const [one, other] = [chosen(steps, pick), steps.at(-1)];
    if (!one || !other || one === other || one.type === 'condition' || one.next.includes(other.id)) return null;
    return steps.map((step) => (step === one ? { ...step, next: [...step.next, other.id] } : step));
  },
};

/** Test support: a guarded workflow, the name of an edit that is possible in it, and the result. */
export const edited = (edits: Record<string, Edit>): fc.Arbitrary<{ kind: string; before: Step[]; after: Step[] }> =>
  fc
    .tuple(guardedWorkflow, fc.constantFrom(...Object.keys(edits)), fc.nat(100))
    .map(([before, kind, pick]) => ({ kind, before, after: edits[kind]?.(before, pick) ?? null }))
    .filter((pair): pair is { kind: string; before: Step[]; after: Step[] } => pair.after !== null);
