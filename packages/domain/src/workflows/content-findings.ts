import { type Finding, kindOf, type Step, settingsOf } from '../steps/index.ts';
import { LIST_SAVE_DEFAULTS } from './builder-save.ts';
import type { WorkflowContent } from './content.ts';
import { NEW_STEP } from './editor-rows.ts';
import { placeholdersOf } from './message-template.ts';

/** A weakness of a workflow's content; `stepId` is null if it concerns the whole workflow. */
export type ContentFinding = Finding & { stepId: string | null };

/**
 * Returns the weaknesses that a person should know before submitting content or reviewing it, in step order. A draft
 * with an `error` can't be submitted. Empty if there are none.
 */
export function contentFindings({ metadata, steps }: WorkflowContent): ContentFinding[] {
  const stepIds = new Set(steps.map(({ id }) => id));
  const untitled: ContentFinding[] =
    metadata.title.trim() === ''
      ? [{ severity: 'warning', code: 'default_text', sentence: 'The workflow has no name.', stepId: null }]
      : [];
  return [
    ...untitled,
    ...steps.flatMap((step) =>
      [...kindOf(step.type).findings(step), ...templateFindings(step, stepIds), ...defaultTexts(step)].map(
        (finding) => ({ ...finding, stepId: step.id }),
      ),
    ),
  ];
}

/** Returns the errors among the findings. */
export const contentErrors = (content: WorkflowContent): ContentFinding[] =>
  contentFindings(content).filter(({ severity }) => severity === 'error');

function templateFindings({ type, config }: Step, stepIds: ReadonlySet<string>): Finding[] {
  const values: Readonly<Record<string, unknown>> = config;
  return settingsOf(type).flatMap(([name, { isTemplate }]) => {
    const text = isTemplate ? values[name] : undefined;
    if (typeof text !== 'string') return [];
    return placeholdersOf(text, stepIds)
      .filter(({ kind }) => kind === 'unknown')
      .map((placeholder): Finding => {
        const sentence = `Its message contains {{${placeholder.text}}}, but no value has this name.`;
        return { severity: 'error', code: 'unknown_placeholder', sentence };
      });
  });
}

const DEFAULT_TEXTS = {
  title: new Set(['', NEW_STEP.step, LIST_SAVE_DEFAULTS.title]),
  description: new Set(['', NEW_STEP.task, LIST_SAVE_DEFAULTS.description]),
};

function defaultTexts({ title, description }: Step): Finding[] {
  const lacks = [
    ...(DEFAULT_TEXTS.title.has(title.trim()) ? ['a name'] : []),
    ...(DEFAULT_TEXTS.description.has(description.trim()) ? ['a task'] : []),
  ];
  if (lacks.length === 0) return [];
  return [{ severity: 'warning', code: 'default_text', sentence: `It still needs ${lacks.join(' and ')}.` }];
}
