-- Everything in the trail counted, however far it was ahead. If a clock had been 60 days ahead, a manager who left after it was set back
-- counted as someone who had left in 60 days. So the one who remained could change nothing alone for 67 days instead of 7.

-- As before, but later than the trail only if the trail is at most a day ahead. A wrong time zone is less than that.
create or replace function next_change(org uuid, at timestamptz default null) returns timestamptz language plpgsql volatile as $$
begin
  return greatest(coalesce(at, clock_timestamp()), (
    select h.at + interval '1 millisecond' from audit_heads h where h.org_id = org and h.at <= clock_timestamp() + interval '1 day'
  ));
end
$$;
