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
  versionOf,
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
export { findLastReviewed } from './versions.sql.ts';
export { presentEmergency, presentVersion } from './version.presenter.ts';
export { presentWorkflow } from './workflow.presenter.ts';
