-- As before, by the time of the statement: an index can't be searched by a clock that moves while it is.
create or replace function due_crossings(most integer) returns table (org_id uuid, run_id uuid) language sql stable security definer as $$
  select r.org_id, r.id from runs r
  where r.next_crossing_at <= statement_timestamp()
  order by r.next_crossing_at limit most
$$;

do $$
begin
  -- A security definer function finds its tables where they were made, whoever calls it.
  execute format('alter function due_crossings(integer) set search_path = %I, pg_temp', current_schema());
end
$$;
