import type { Handlers } from '../../http/handler.ts';
import { answer, revisionTag } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { compareVersions } from './compare-versions.ts';
import { changeTags } from './change-tags.ts';
import { deleteWorkflow } from './delete-workflow.ts';
import { listWorkflowsPage } from './list-workflows.ts';
import { rollBack } from './roll-back.ts';
import type { VersionRow } from './version-columns.ts';
import { presentInForce, presentVersion, readPeriods } from './version.presenter.ts';
import { listLiveChanges } from './versions.sql.ts';
import { presentWorkflow } from './workflow.presenter.ts';
import {
  countTags,
  countWorkflows,
  findShownVersion,
  findStepIds,
  findVersion,
  findVersionNumbers,
  findWorkflow,
  listVersions,
  versionOf,
} from './workflows.sql.ts';

/** Maximum number of tags that are offered as filters of a list. */
const MAX_TAGS = 500;

const isOpenOrLive = ({ status }: VersionRow): boolean => status !== 'superseded';

export const workflowHandlers = {
  'GET /api/workflows': listWorkflowsPage,

  'GET /api/workflow-counts': async ({ db }, { actor }) => {
    const { orgId } = actor;
    const [rows, tags] = await db.transaction(actor, (tx) =>
      Promise.all([tx.many(countWorkflows, { orgId }), tx.many(countTags, { orgId, limit: MAX_TAGS })]),
    );
    const counts = { total: 0, draft: 0, in_review: 0, live: 0, archived: 0 };
    for (const { status, count } of rows) counts[status] = count;
    return answer({ ...counts, tags });
  },

  'GET /api/workflows/{key}': async ({ db }, { actor, params }) => {
    const at = { orgId: actor.orgId, key: params.key };
    const [row, shown, versions] = await db.transaction(actor, (tx) =>
      Promise.all([tx.maybeOne(findWorkflow, at), tx.maybeOne(findShownVersion, at), tx.many(listVersions, at)]),
    );
    if (!row || !shown) throw new Refused({ code: 'not_found', what: 'workflow' });
    const { steps, metadata, revision } = shown;
    const draftId = shown.version === null ? shown.id : null;
    return answer(
      { ...presentWorkflow(row, versions.filter(isOpenOrLive)), metadata, steps, draftId, revision },
      revisionTag(revision),
    );
  },

  'GET /api/workflows/{key}/versions': async ({ db }, { actor, params }) => {
    const at = { orgId: actor.orgId, key: params.key };
    const [row, versions, changes] = await db.transaction(actor, (tx) =>
      Promise.all([tx.maybeOne(findWorkflow, at), tx.many(listVersions, at), tx.many(listLiveChanges, at)]),
    );
    if (!row) throw new Refused({ code: 'not_found', what: 'workflow' });
    const periods = readPeriods(changes);
    return answer(versions.map((version) => presentInForce(version, periods)));
  },

  'GET /api/workflows/{key}/version-numbers': async ({ db }, { actor, params: { key } }) => {
    const row = await db.transaction(actor, (tx) => tx.maybeOne(findVersionNumbers, { orgId: actor.orgId, key }));
    if (!row) throw new Refused({ code: 'not_found', what: 'workflow' });
    return answer({ numbers: row.numbers });
  },

  'GET /api/workflows/{key}/step-ids': async ({ db }, { actor, params }) => {
    const row = await db.transaction(actor, (tx) => tx.maybeOne(findStepIds, { orgId: actor.orgId, key: params.key }));
    if (!row) throw new Refused({ code: 'not_found', what: 'workflow' });
    return answer({ stepIds: row.ids });
  },

  'GET /api/workflows/{key}/versions/{version}': async ({ db }, { actor, params }) => {
    const row = await db.transaction(actor, (tx) =>
      tx.maybeOne(findVersion, { orgId: actor.orgId, key: params.key, ...versionOf(params) }),
    );
    if (!row) throw new Refused({ code: 'not_found', what: 'version' });
    return answer({ ...presentVersion(row), key: row.key, metadata: row.metadata, steps: row.steps });
  },

  'GET /api/workflows/{key}/compare': compareVersions,
  'POST /api/workflows/{key}/versions/{version}/rollback': rollBack,
  'PATCH /api/workflows/{key}': changeTags,
  'DELETE /api/workflows/{key}': deleteWorkflow,
} satisfies Partial<Handlers>;
