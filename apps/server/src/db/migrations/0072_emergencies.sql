-- Versions that went live past the review ------------------------------------------------------------------------------
create index confirmations_of_versions on confirmations (org_id, subject_id, proposed_at desc) where kind = 'emergency';

-- Where owners and admins have to be reminded of an emergency that nobody has ratified or refused.
create function organizations_with_emergencies() returns setof uuid language sql stable security definer as $$
  select distinct org_id from confirmations where kind = 'emergency' and status = 'waiting'
$$;
create index confirmations_of_emergencies on confirmations (org_id) where kind = 'emergency' and status = 'waiting';

do $$
begin
  execute format('alter function organizations_with_emergencies() set search_path = %I, pg_temp', current_schema());
  revoke execute on function organizations_with_emergencies() from public;
end
$$;
grant execute on function organizations_with_emergencies() to stet_app;

-- The API tokens with which someone saved a draft, by name.
alter table draft_contributors add column tokens text[] not null default '{}';
