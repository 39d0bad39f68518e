-- Verifications of whole trails -----------------------------------------------------------------------------------------
alter table audit_verifications
  -- How far the one under way is, signed: a server that goes on with it trusts nothing else.
  add column progress text,
  -- The last verification without a finding, signed: exports name its moment and verify the events after it.
  add column whole text,
  add column ended_at timestamptz,
  -- Whether the last one that ended found a change; stays while the next one is under way.
  add column is_broken boolean not null default false,
  -- The finding, if a row differs from its events.
  add column detail text;
update audit_verifications set is_broken = true where state = 'broken';

-- The organization whose trail is verified next: none that was verified since then. One that was begun comes first.
create function next_unverified_trail(since timestamptz) returns table (org_id uuid) language sql stable security definer as $$
  select h.org_id from audit_heads h left join audit_verifications v on v.org_id = h.org_id
  where h.seq > 0 and (v.ended_at is null or v.ended_at < since)
  order by v.state = 'running' desc nulls last, v.ended_at nulls first, h.org_id limit 1
$$;

do $$
begin
  execute format('alter function next_unverified_trail(timestamptz) set search_path = %I, pg_temp', current_schema());
  revoke execute on function next_unverified_trail(timestamptz) from public;
end
$$;
grant execute on function next_unverified_trail(timestamptz) to stet_app;
