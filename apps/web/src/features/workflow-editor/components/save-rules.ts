import { builderSaveProblem, isolated, isWorkflowKey, withListSaveDefaults } from '@stet/domain/workflows';
import type { WorkflowContent } from '@stet/domain/workflows';
import { firstProblem } from '../builder/model/step-notes.ts';
import { saveRefusal } from '../model/cell-problem.ts';
import type { EditorView } from './use-editor-view.ts';
import type { SaveRules } from './use-workflow-editor.ts';

/** The reason why the document can't be saved, in either view. Null if it can. */
function problem(content: WorkflowContent, givenKey: string): string | null {
  if (givenKey !== '' && !isWorkflowKey(givenKey))
    return 'A key can only contain letters, digits, dots, underscores and hyphens';
  return builderSaveProblem(content) ?? saveRefusal(content.steps) ?? firstProblem(content.steps);
}

/** The rules for saving. The views differ in their words and defaults (specification, section 5). */
export const SAVE_RULES: Record<EditorView, SaveRules> = {
  table: {
    problem: (content, givenKey) =>
      content.metadata.title.trim() === '' ? 'Workflow key and title are required' : problem(content, givenKey),
    prepare: (content) => content,
    sentence: (title) => `${isolated(title)} saved as a draft`,
  },
  builder: { problem, prepare: withListSaveDefaults, sentence: () => 'Workflow saved successfully' },
};
