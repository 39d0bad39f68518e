import { z } from 'zod';
import { statement } from '../../db/statement.ts';

export const joinWaitlist = statement({
  name: 'join_waitlist',
  params: ['email'],
  text: `insert into waitlist (email) values ($1) on conflict do nothing`,
});

export const findWaitlistSize = statement({
  name: 'find_waitlist_size',
  params: [],
  row: z.object({ count: z.number() }),
  text: `select count from waitlist_size`,
});

/** Saves an application for the priority list, and adds the applicant to the waitlist. */
export const saveApplication = statement({
  name: 'save_priority_application',
  params: [
    'email',
    'role',
    'otherRole',
    'documentationTools',
    'otherDocumentationTool',
    'teamTools',
    'otherTeamTool',
    'frustrations',
    'processTypes',
    'collaborationSize',
    'frequency',
  ],
  text: `with listed as (insert into waitlist (email) values ($1) on conflict do nothing)
         insert into priority_applications (email, role, other_role, documentation_tools, other_documentation_tool, team_tools,
           other_team_tool, frustrations, process_types, collaboration_size, frequency)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         on conflict (email) do update set
           role = excluded.role, other_role = excluded.other_role, documentation_tools = excluded.documentation_tools,
           other_documentation_tool = excluded.other_documentation_tool, team_tools = excluded.team_tools,
           other_team_tool = excluded.other_team_tool, frustrations = excluded.frustrations,
           process_types = excluded.process_types, collaboration_size = excluded.collaboration_size,
           frequency = excluded.frequency, updated_at = now()`,
});
