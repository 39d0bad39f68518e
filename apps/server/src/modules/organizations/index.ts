export { mentionablePeople } from './mentionable-people.ts';
export { presentOrganization } from './organization.presenter.ts';
export { findOrganization, listMemberEmails } from './organizations.sql.ts';
export { applyPolicy } from './policies.ts';
export { applyWorkingHours } from './apply-working-hours.ts';
