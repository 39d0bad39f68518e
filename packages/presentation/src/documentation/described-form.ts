import type { InputField, Step } from '@stet/domain/steps';
import { visibleText } from '@stet/domain/workflows';
import { limitWords } from '../field-words.ts';
import { FIELD_KIND_WORDS } from '../form-changes.ts';

/** A field of a step's form as a document describes it. All but `id` are for readers; `help` can be empty. */
export type DescribedField = { id: string; label: string; answer: string; required: string; help: string };

/** Returns the fields of a step's form in order; empty if the step has none. */
export const describeForm = (step: Step): DescribedField[] =>
  step.type === 'manual' ? (step.config.fields ?? []).map(describeField) : [];

function describeField(field: InputField): DescribedField {
  const { id, label, kind, options, required, help = '' } = field;
  const limits = limitWords(field);
  const kindWords = limits
    ? `${FIELD_KIND_WORDS[kind]}, ${limits.charAt(0).toLowerCase()}${limits.slice(1)}`
    : unitWords(field);
  return {
    id,
    label: visibleText(label),
    answer: options ? `${kindWords}: ${options.map(visibleText).join(', ')}` : kindWords,
    required: required ? 'Required' : 'Optional',
    help: visibleText(help.trim()),
  };
}

const unitWords = ({ kind, unit }: InputField): string =>
  unit ? `${FIELD_KIND_WORDS[kind]} in ${visibleText(unit)}` : FIELD_KIND_WORDS[kind];
