import { type Json, type JsonObject, type PersonCommand, type RunState, stepStateOf } from '@stet/domain/runs';
import { type Step, isFileKind } from '@stet/domain/steps';
import type { OrgActor } from '../../../kernel/actor.ts';
import type { Tx } from '../../../kernel/database.ts';
import { Refused } from '../../../kernel/refused.ts';
import { saveAttachments, lockFilesOfRun } from './files.sql.ts';
import { evidenceOf } from './upload.ts';

type Target = { actor: OrgActor; runId: string; steps: readonly Step[]; state: RunState };
type Complete = Extract<PersonCommand, { type: 'complete' }>;

/**
 * Replaces the file ids in a step's input with the evidence stored on the server, and attaches the files to the step's
 * activation. A file belongs to the step that it was uploaded for, and to the first activation that names it. If the
 * step is returned, the same person can name the file again. Refuses files that are unknown, incomplete, uploaded by
 * someone else or for another step. Sends no query if the input has no files.
 */
export async function attachFiles(tx: Tx, target: Target, command: Complete): Promise<Complete> {
  const { actor, runId, steps, state } = target;
  const { orgId, userId } = actor;
  const { stepId } = command;
  const step = steps.find(({ id }) => id === stepId);
  const given = command.output?.['fields'];
  if (step?.type !== 'manual' || !isObject(given)) return command;
  const named = (step.config.fields ?? []).flatMap(({ id, label, kind }) => {
    const value = isFileKind(kind) && Object.hasOwn(given, id) ? given[id] : null;
    return Array.isArray(value) && value.length > 0 ? [{ fieldId: id, label, ids: value.map(idOf) }] : [];
  });
  const ids = named.flatMap((field) => field.ids);
  if (ids.length === 0) return command;
  const found = await tx.many(lockFilesOfRun, { orgId, runId, ids: ids.filter((id) => id !== null) });
  const files = new Map(found.map((file) => [file.id, file]));
  const fields: Record<string, Json> = { ...given };
  const problems: { fieldId: string; problem: string }[] = [];
  for (const { fieldId, label, ids: own } of named) {
    fields[fieldId] = own.flatMap((id) => {
      const file = id === null ? undefined : files.get(id);
      const problem =
        file?.uploaded_by !== userId || file.step_id !== stepId
          ? 'has a file that you haven’t uploaded for this step, or that was deleted. Remove it, then choose it again'
          : file.media_type === null
            ? `has ${file.name}, which isn’t completely uploaded`
            : null;
      if (problem !== null || !file?.media_type) problems.push({ fieldId, problem: `${label} ${problem}` });
      return file?.media_type ? [evidenceOf(file, file.media_type)] : [];
    });
  }
  if (problems.length > 0) throw new Refused({ code: 'invalid_fields', stepId, problems });
  const activation = stepStateOf(state, stepId)?.activation ?? 0;
  tx.write(saveAttachments, { orgId, runId, ids, activation });
  return { ...command, output: { ...command.output, fields } };
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Returns the id of a file, given directly or as the `fileId` of an object. Null if the value is neither. */
function idOf(value: unknown): string | null {
  const id: unknown = typeof value === 'object' && value !== null && 'fileId' in value ? value.fileId : value;
  return typeof id === 'string' && UUID.test(id) ? id : null;
}
