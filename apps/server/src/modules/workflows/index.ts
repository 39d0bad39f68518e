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
  sortTitle,
  summary,
  summaryRow,
  touchWorkflow,
  versionOf,
} from './workflows.sql.ts';
export {
  type ApproverRow,
  type PersonRow,
  type StoredRequirement,
  type VersionRow,
  type EmergencyRow,
  approvalsColumn,
  approvedVersionRow,
  contentRow,
  emergencyOf,
  personOf,
  versionColumns,
  versionRow,
} from './version-columns.ts';
export { findLastReviewed, listLiveChanges } from './versions.sql.ts';
export {
  type RecordedPeriod,
  presentEmergency,
  presentInForce,
  presentVersion,
  readPeriods,
} from './version.presenter.ts';
export { presentWorkflow } from './workflow.presenter.ts';
