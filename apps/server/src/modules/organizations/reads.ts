/** What other modules may use of organizations: their policies, and how an organization is answered. */
export { presentOrganization } from './organization.presenter.ts';
export { findOrganization } from './organizations.sql.ts';
export { applyPolicy } from './policies.ts';
export { applyWorkingHours } from './apply-working-hours.ts';
