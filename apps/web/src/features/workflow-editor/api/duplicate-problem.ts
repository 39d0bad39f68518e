import { api } from '../../../lib/api/api.ts';
import { errorSentence, isStatus } from '../../../lib/api/api-error.ts';

/** `name` is the title of the toast and `message` its text (specification, sections 5 and 8). */
class DuplicateProblem extends Error {
  constructor(title: 'Invalid Workflow' | 'Duplication Failed', message: string) {
    super(message);
    this.name = title;
  }
}

/** The reason why a workflow can't be duplicated, or null if it can. */
export async function duplicateProblem(key: string): Promise<DuplicateProblem | null> {
  try {
    const { key: found, metadata } = await api('GET /api/workflows/{key}', { params: { key } });
    if (found && metadata?.title) return null;
    return new DuplicateProblem('Invalid Workflow', 'Cannot duplicate workflow: missing required data');
  } catch (error) {
    const reason = isStatus(error, 404)
      ? 'Source workflow not found'
      : errorSentence(error, 'the server gave no reason');
    return new DuplicateProblem('Duplication Failed', `Failed to duplicate workflow: ${reason}`);
  }
}
