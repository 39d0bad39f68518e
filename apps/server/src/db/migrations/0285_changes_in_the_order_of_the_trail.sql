-- After a clock was set back, a role could begin in the future, because it is later than the person's earlier roles. But memberships in
-- groups and confirmations had the time of the clock, so they looked older than the role, and all of them older than a run that had
-- started before. Until the clock caught up, an addition by a manager whom someone behind the work had appointed counted, and a manager's
-- confirmation of a new reviewer didn't.

-- The time of a change that decides who may approve: `at` or now, but later than everything in the organization's trail. Time never goes back
-- there, whatever the clock does, and every change records an event in its transaction. The step is a millisecond because runs have
-- milliseconds.
create function next_change(org uuid, at timestamptz default null) returns timestamptz language plpgsql volatile as $$
begin
  return greatest(coalesce(at, clock_timestamp()), (select h.at + interval '1 millisecond' from audit_heads h where h.org_id = org));
end
$$;

-- As before, and later than everything in the organization's trail.
create or replace function next_role_change(org uuid, people uuid[]) returns timestamptz language plpgsql volatile as $$
begin
  return greatest(next_change(org), (
    select max(greatest(h.since, h.until)) + interval '1 microsecond' from role_history h
    where h.org_id = org and h.user_id = any (people)
  ));
end
$$;
