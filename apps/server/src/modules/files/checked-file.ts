import type { LeftOut } from '@stet/domain/bpmn';
import type { WorkflowMetadata } from '@stet/domain/workflows';
import { Refused } from '../../kernel/refused.ts';
import { formProblems, graphProblems } from '../drafts/index.ts';
import { readBpmnFile } from './bpmn/read-bpmn.ts';
import { type FileFormat, type FileProblem, type WorkflowFile, readWorkflowFile } from './read-workflow-file.ts';

/**
 * Returns the content of a file, with a list of omitted fields. Refuses a file that can't be read or whose steps
 * couldn't run, and gives the position or the path of each problem.
 */
export async function checkedFile(
  text: string,
  format: FileFormat,
): Promise<{ file: WorkflowFile; leftOut: LeftOut[] }> {
  const read = await readWorkflowFile(text, format);
  if (!read.ok) throw new Refused({ code: 'invalid_file', problems: read.problems });
  const { steps } = read.file;
  const problems: FileProblem[] = [];
  for (const { stepId, problem } of [...graphProblems(steps), ...formProblems(steps)].slice(0, 20)) {
    // If several steps have the same id, the last one counts as the duplicate.
    const index = steps.findLastIndex(({ id }) => id === stepId);
    const path = index === -1 ? ['steps'] : ['steps', index];
    // Only the first problem needs a position, because the error message describes only that one.
    const place = problems.length === 0 ? read.placeOf(path) : null;
    problems.push({ line: place?.line ?? null, column: place?.column ?? null, path: path.join('.'), problem });
  }
  if (problems.length > 0) throw new Refused({ code: 'invalid_file', problems });
  return { file: read.file, leftOut: read.leftOut };
}

/**
 * Returns a BPMN file as a workflow, with a list of omitted elements. Refuses a file that can't be read or whose steps
 * couldn't run.
 */
export async function checkedBpmn(text: string): Promise<{ file: WorkflowFile; leftOut: LeftOut[] }> {
  const read = await readBpmnFile(text);
  if (!read.ok) throw new Refused({ code: 'invalid_file', problems: read.problems });
  const { steps } = read.file;
  const problems = [...graphProblems(steps), ...formProblems(steps)].slice(0, 20).map(({ stepId, problem }) => ({
    line: null,
    column: null,
    path: stepId ?? '',
    problem,
  }));
  if (problems.length > 0) throw new Refused({ code: 'invalid_file', problems });
  return { file: read.file, leftOut: read.leftOut };
}

/**
 * Returns the metadata for an import: that of the file or, if it has none, that of the workflow. Refuses if both lack
 * it.
 */
export function importedMetadata(file: WorkflowFile, known: WorkflowMetadata | null): WorkflowMetadata {
  const metadata = file.metadata ?? known;
  if (metadata) return metadata;
  const problem = 'metadata is missing: a new workflow needs a title';
  throw new Refused({ code: 'invalid_file', problems: [{ line: null, column: null, path: 'metadata', problem }] });
}
