import type { BodyInput, Diff, RunSummary, VersionRecord, WorkflowDetail, WorkflowSummary } from '@stet/contract';
import { api } from '../../../lib/api/api.ts';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { session } from '../../../lib/session/session.ts';
import { sampleWorkflow } from '../model/sample-workflow.ts';
import { RUN_DEFAULTS } from '@stet/domain/defaults';

/** Replaces a failed call's message (specification, section 8, legacy client helpers). */
async function orFail<T>(call: Promise<T>, sentence: string): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    throw new Error(sentence, { cause });
  }
}

/** Makes a failed call throw the server's message. */
async function asServerSays<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    throw new Error(errorSentence(cause, 'The call failed'), { cause });
  }
}

const accountRoutes = async () => (await import('@stet/contract/accounts')).accountRoutes;

export const signupSchema = async () => (await accountRoutes())['POST /api/auth/signup'].body;
export const loginSchema = async () => (await accountRoutes())['POST /api/auth/login'].body;

/** Creates an account and begins its session. */
export async function signUp(body: BodyInput<'POST /api/auth/signup'>): Promise<void> {
  const { token } = await api('POST /api/auth/signup', { body, anonymous: true });
  session.begin(token);
}

/** Begins an account's session. */
export async function logIn(body: BodyInput<'POST /api/auth/login'>): Promise<void> {
  const { token } = await api('POST /api/auth/login', { body, anonymous: true });
  session.begin(token);
}

export const listWorkflows = (): Promise<WorkflowSummary[]> =>
  orFail(api('GET /api/workflows'), 'Failed to list workflows');

export const getWorkflow = (key: string): Promise<WorkflowDetail> =>
  orFail(api('GET /api/workflows/{key}', { params: { key } }), 'Failed to get workflow');

export const listVersions = (key: string): Promise<VersionRecord[]> =>
  orFail(api('GET /api/workflows/{key}/versions', { params: { key } }), 'Failed to list versions');

export const listRuns = (): Promise<RunSummary[]> => orFail(api('GET /api/runs'), 'Failed to list runs');

export const getDiff = (key: string, id: string): Promise<Diff> =>
  orFail(api('GET /api/workflows/{key}/drafts/{id}/diff', { params: { key, id } }), 'Failed to get diff');

export const exportYaml = async (key: string): Promise<string> =>
  // The contract only says that the route returns plain text, so the type is unknown.
  String(await orFail(api('GET /api/workflows/{key}/export-yaml', { params: { key } }), 'Failed to export YAML'));

/** Imports the text as a new draft of the workflow. If that fails, it throws the server's message. */
export const importYaml = (key: string, text: string): Promise<{ draftId: string }> =>
  asServerSays(
    api('POST /api/workflows/{key}/import-yaml', {
      params: { key },
      query: {},
      body: text,
      headers: { 'content-type': 'application/yaml' },
    }),
  );

export function createSampleDraft(now: number): Promise<{ draftId: string }> {
  const body = sampleWorkflow(now);
  return orFail(api('POST /api/workflows/{key}/drafts', { params: { key: body.key }, body }), 'Failed to create draft');
}

export const approve = (key: string, id: string): Promise<VersionRecord> =>
  asServerSays(api('POST /api/workflows/{key}/drafts/{id}/approve', { params: { key, id } }));

export const merge = (key: string, id: string): Promise<{ version: VersionRecord }> =>
  asServerSays(api('POST /api/workflows/{key}/drafts/{id}/merge', { params: { key, id } }));

/** Merges the oldest open draft. If there is none, it throws 'No drafts to merge' (specification, section 5). */
export async function mergeFirstDraft(key: string): Promise<{ version: VersionRecord }> {
  const drafts = (await listVersions(key)).filter(({ status }) => status === 'draft' || status === 'in_review');
  const first = drafts.at(-1);
  if (!first) throw new Error('No drafts to merge');
  return merge(key, first.id);
}

export const comment = (key: string, id: string, body: string): Promise<unknown> =>
  asServerSays(api('POST /api/workflows/{key}/drafts/{id}/comments', { params: { key, id }, body: { body } }));

export const startRun = (key: string, name: string): Promise<{ id: string }> =>
  asServerSays(api('POST /api/runs', { body: { key, name, priority: RUN_DEFAULTS.priority } }));

/** Completes the first active step of the run. */
export async function completeFirstStep({ id, currentStepIds }: RunSummary): Promise<unknown> {
  const [stepId] = currentStepIds;
  if (stepId === undefined) throw new Error('This run has no active step');
  const output = { text: 'Completed on the legacy page' };
  return asServerSays(api('POST /api/runs/{id}/complete', { params: { id }, body: { stepId, output } }));
}
