/** The option that asks for custom text; it is the last one in each list that has it. */
export const OTHER = 'Other';

/** The applicant's role (specification, section 3). */
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

/** Tools for documenting or editing processes (specification, section 3). */
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

/** Other tools that a team uses (specification, section 3). */
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

/** How often the applicant works on process documentation (specification, section 3). */
export const FREQUENCIES = ['Daily', 'Weekly', 'Monthly', 'Occasionally'] as const;

export type ApplicantRole = (typeof APPLICANT_ROLES)[number];
export type DocumentationTool = (typeof DOCUMENTATION_TOOLS)[number];
export type TeamTool = (typeof TEAM_TOOLS)[number];
export type Frequency = (typeof FREQUENCIES)[number];
