-- As before, and invitations can be revoked, so that an account can be disabled while one of its organizations ends.
create or replace function is_recorded_at_the_end(action text) returns boolean language sql immutable as $$
  select action ~ '^(session|account|audit|installation|job)\.'
      or action in ('organization.ending', 'organization.end_cancelled', 'organization.runs_exported',
                    'organization.person_figures_viewed', 'workflow.exported', 'token.revoked', 'invitation.revoked')
$$;
