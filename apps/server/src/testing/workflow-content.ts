import { FIELD_KINDS, type FieldKind, type InputField, type Step } from '@stet/domain/steps';
import type { WorkflowContent } from '@stet/domain/workflows';
import fc from 'fast-check';

/** Strings that can cause errors in files: values that look like another type, markers, white space, other scripts. */
const ODD = [
  '',
  'yes',
  'null',
  '~',
  '0x1F',
  '1e3',
  '2026-11-18',
  '- item',
  'key: value',
  '# no comment',
  '&anchor *alias !tag',
  '"quoted" and \'quoted\'',
  'first line\nsecond line\n',
  '\n\nblank lines before',
  'trailing space ',
  ' leading space',
  '\ttab',
  'carriage\r\nreturn',
  '|\n  literal',
  '>-',
  '---\n...',
  'العربية من اليمين',
  '日本語 😀 \u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
  '\u2028\u2029\u0085\uFEFF\u200B',
  '\u0001\u001B[31m\u007F',
  `{{run.name}} {output} %s ${'$'}{x}`,
  '='.repeat(200),
];

const text = fc.oneof(
  fc.constantFrom(...ODD),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 40 }).map((any) => any.replaceAll('\u0000', '').toWellFormed()),
);
const trimmed = text.map((any) => any.trim().slice(0, 100).toWellFormed());
const ids = ['a', 'b', 'step-3', 'ünï', '日'] as const;

const label = trimmed.map((any) => any || 'Label');
const none = fc.constant({});
const options = fc.record({
  options: fc.uniqueArray(
    label.map((any) => any.replaceAll(/[\n\r]/g, ' ').trim() || 'Option'),
    { minLength: 1, maxLength: 3 },
  ),
});
const SETTINGS: Record<FieldKind, fc.Arbitrary<Partial<InputField>>> = {
  text: none,
  long_text: none,
  number: fc.record(
    {
      min: fc.integer({ min: -9, max: 0 }),
      max: fc.double({ min: 0, max: 1e9, noNaN: true, noDefaultInfinity: true }).map((any) => any + 0),
      unit: fc.constantFrom('EUR', 'm²'),
    },
    { requiredKeys: [] },
  ),
  date: none,
  choice: options,
  many_of: options,
  yes_no: none,
  person: none,
  file_link: none,
  file: none,
  photo: none,
};
const field = fc
  .tuple(
    fc.record(
      {
        id: fc.constantFrom('a', '_b', 'amount_2', 'n', 'total', 'c', 'risk'),
        label,
        required: fc.boolean(),
        help: label,
      },
      { requiredKeys: ['id', 'label', 'required'] },
    ),
    fc.constantFrom(...FIELD_KINDS).chain((kind) => SETTINGS[kind].map((settings) => ({ kind, ...settings }))),
  )
  .map(([common, ofKind]): InputField => ({ ...common, ...ofKind }));
const fields = fc
  .tuple(
    fc.uniqueArray(field, { selector: ({ id }) => id, maxLength: 5 }),
    fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  )
  .map(([list, conditional]) =>
    list.map((each, at): InputField => {
      const other = list[(at + 1) % list.length];
      const hasCondition = conditional[at] === true && !each.required && other !== undefined && other !== each;
      return hasCondition ? { ...each, requiredIf: `${other.id} != null` } : each;
    }),
  );

const typed = fc.oneof(
  fc.record({
    type: fc.constant('manual'),
    config: fc.record(
      {
        assignedRole: trimmed.map((any) => any.slice(0, 60).trim().toWellFormed()),
        requiresApproval: fc.boolean(),
        skip: fc.constant('never'),
        fields,
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    type: fc.constant('approval'),
    config: fc.record(
      {
        minimumApprovers: fc.integer({ min: 1, max: 9 }),
        onReject: fc.constantFrom(...ids),
        separateFrom: fc.boolean(),
        skip: fc.constant('never'),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    type: fc.constant('automated'),
    config: fc.record({ script: text, timeout: fc.integer({ min: 1, max: 3600 }) }, { requiredKeys: [] }),
  }),
  fc.record({
    type: fc.constant('condition'),
    config: fc.record(
      { condition: text, trueNext: fc.constantFrom(...ids), falseNext: fc.constantFrom(...ids) },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    type: fc.constant('notification'),
    config: fc.record(
      {
        recipients: fc.array(trimmed, { maxLength: 3 }),
        template: text,
        channels: fc.subarray(['email', 'slack', 'in-app']),
      },
      { requiredKeys: [] },
    ),
  }),
);

/** Random content that the API accepts. Its graph may be invalid. */
export const storableContent: fc.Arbitrary<WorkflowContent> = fc.record({
  metadata: fc.record({ title: trimmed.map((any) => any || 'Title'), description: text }),
  steps: fc
    .tuple(
      fc.shuffledSubarray([...ids], { minLength: 1 }),
      fc.array(
        fc.tuple(
          fc.record({ title: text, description: text, assignee: trimmed, sla: trimmed, next: fc.subarray([...ids]) }),
          typed,
        ),
        { minLength: 5, maxLength: 5 },
      ),
    )
    .map(([order, details]) => order.map((id, n) => ({ id, ...details[n]?.[0], ...details[n]?.[1] }) as Step)),
});

/** Content that can run, with any settings. Steps lead only to later steps, and rejections only to earlier ones. */
export const runnableContent: fc.Arbitrary<WorkflowContent> = storableContent.map(
  ({ metadata, steps }): WorkflowContent => {
    const places = new Map(steps.map(({ id }, place) => [id, place]));
    const placeOf = (id: string): number => places.get(id) ?? -1;
    return {
      metadata,
      steps: steps.map((step, place): Step => {
        const behind = steps[place + 1]?.id;
        const further = step.next.filter((id) => placeOf(id) > place + 1);
        const next = behind === undefined ? [] : [behind, ...further];
        if (step.type === 'approval') {
          const { onReject, ...config } = step.config;
          if (onReject === undefined || place === 0) return { ...step, next, config };
          return {
            ...step,
            next,
            config: { ...config, onReject: steps[Math.max(0, placeOf(onReject)) % place]?.id ?? '' },
          };
        }
        if (step.type === 'condition') {
          const { trueNext, falseNext, ...config } = step.config;
          if (behind === undefined) return { ...step, next, config };
          const target = (id: string | undefined) => (id === undefined || next.includes(id) ? id : behind);
          const branches = { trueNext: target(trueNext), falseNext: target(falseNext) };
          const named = Object.entries(branches).filter(([, id]) => id !== undefined);
          return { ...step, next, config: { ...config, ...Object.fromEntries(named) } };
        }
        return { ...step, next };
      }),
    };
  },
);
