/** What other modules may use of workflows: their rows, and how a version record is presented. */
export {
  describeWorkflow,
  findShownVersion,
  findVersion,
  findWorkflow,
  insertWorkflow,
  listCurrentVersions,
  lockWorkflow,
  makeLive,
  markWorkflowDeleted,
  showNewestDraft,
  summary,
  summaryRow,
  touchWorkflow,
} from './workflows.sql.ts';
export {
  type PersonRow,
  type VersionRow,
  type EmergencyRow,
  contentRow,
  emergencyOf,
  versionColumns,
  versionRow,
} from './version-columns.ts';
export { versionOf, versionStateOf } from './version-of.ts';
export { presentEmergency, presentVersion } from './version.presenter.ts';
export { presentWorkflow } from './workflow.presenter.ts';
