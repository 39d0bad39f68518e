/** The option that asks for words of one's own, the last one of a list that has it. */
export const OTHER = 'Other';

/** What an applicant may be (specification, section 3). */
export const APPLICANT_ROLES = [
  'Founder',
  'Operations Manager',
  'Team Lead',
  'Process Owner',
  'Project Manager',
  'Customer Success Manager / Support Lead',
  'HR / People Ops Specialist',
  'Business Analyst',
  'Quality Assurance / Compliance Specialist',
  'Knowledge Manager / Knowledge Base Admin',
  'Training & Onboarding Specialist',
  'Operations Specialist',
  OTHER,
] as const;

/** Tools to document or edit processes with (specification, section 3). */
export const DOCUMENTATION_TOOLS = [
  'Confluence',
  'Notion',
  'Miro',
  'Process Street',
  'Scribe',
  'Tango',
  'Lucidchart',
  OTHER,
] as const;

/** Tools that a team works with besides (specification, section 3). */
export const TEAM_TOOLS = [
  'Confluence',
  'Notion',
  'Miro',
  'Process Street',
  'Scribe',
  'Tango',
  'Trello',
  'Asana',
  'ClickUp',
  'Google Docs / Google Sheets',
  'Microsoft Word / Microsoft Excel',
  'monday.com',
  'Airtable',
  'Lucidchart',
  'Jira',
  'SharePoint',
  OTHER,
] as const;

/** How often somebody works on process documentation (specification, section 3). */
export const FREQUENCIES = ['Daily', 'Weekly', 'Monthly', 'Occasionally'] as const;

export type ApplicantRole = (typeof APPLICANT_ROLES)[number];
export type DocumentationTool = (typeof DOCUMENTATION_TOOLS)[number];
export type TeamTool = (typeof TEAM_TOOLS)[number];
export type Frequency = (typeof FREQUENCIES)[number];
