import type { InputField, Step } from '@stet/domain/steps';
import { visibleText } from '@stet/domain/workflows';
import { limitWords } from '../field-words.ts';
import { FIELD_KIND_WORDS } from '../form-changes.ts';

/** A field of a step's form as a document describes it. All texts but `id` are shown; `help` can be empty. */
export type DescribedField = { id: string; label: string; answer: string; required: string; help: string };

/** Returns the fields of a step's form in order; empty if the step has none. */
export const describeForm = (step: Step): DescribedField[] =>
  step.type === 'manual' ? (step.config.fields ?? []).map((field, _, fields) => describeField(field, fields)) : [];

function describeField(field: InputField, fields: readonly InputField[]): DescribedField {
  const { id, label, kind, options, required, requiredIf, help = '' } = field;
  const limits = limitWords(field);
  const kindWords = limits
    ? `${FIELD_KIND_WORDS[kind]}, ${limits.charAt(0).toLowerCase()}${limits.slice(1)}`
    : unitWords(field);
  return {
    id,
    label: visibleText(label),
    answer: options ? `${kindWords}: ${options.map(visibleText).join(', ')}` : kindWords,
    required: required ? 'Required' : requiredIf ? `Required if ${withLabels(requiredIf, fields)}` : 'Optional',
    help: visibleText(help.trim()),
  };
}

/** Returns a condition with the labels of fields instead of their ids. */
const withLabels = (expression: string, fields: readonly InputField[]): string =>
  visibleText(
    expression.replaceAll(
      /"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*/g,
      (found) => fields.find(({ id }) => id === found)?.label ?? found,
    ),
  );

const unitWords = ({ kind, unit }: InputField): string =>
  unit ? `${FIELD_KIND_WORDS[kind]} in ${visibleText(unit)}` : FIELD_KIND_WORDS[kind];
