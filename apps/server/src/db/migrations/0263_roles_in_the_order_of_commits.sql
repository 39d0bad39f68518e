-- Roles began and ended when the transaction began that changed them. If two managers changed the same role at the same time, the
-- change that was committed last could look like the earlier one, and its role ended before it began.

-- The time of a change to a person's role: later than all earlier changes to the roles of these people, even if a clock was set back.
-- Changes to an organization's roles wait for each other, so their order is that of their commits.
create function next_role_change(org uuid, people uuid[]) returns timestamptz language plpgsql volatile as $$
begin
  return greatest(clock_timestamp(), (
    select max(greatest(h.since, h.until)) + interval '1 microsecond' from role_history h
    where h.org_id = org and h.user_id = any (people)
  ));
end
$$;

-- As before, with these times.
create or replace function keep_role_history() returns trigger language plpgsql security definer as $$
declare
  used invitations;
  possible uuid[];
  sure uuid[];
  at timestamptz;
begin
  if tg_op = 'UPDATE' then
    if new.role = old.role then
      return null;
    end if;
  end if;
  if tg_op = 'DELETE' then
    at := next_role_change(old.org_id, array[old.user_id]);
  else
    at := next_role_change(new.org_id, array[new.user_id, new.given_by]);
  end if;
  if tg_op <> 'INSERT' then
    update role_history set until = at, ended_by = case when tg_op = 'UPDATE' then new.given_by else ended_by end
    where org_id = old.org_id and user_id = old.user_id and until is null;
  end if;
  if tg_op = 'DELETE' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    select * into used from invitations i
    where i.org_id = new.org_id and i.accepted_by = new.user_id and i.accepted_at = now() and i.invited_by = new.given_by;
    insert into role_history (org_id, user_id, role, given_by, since, until, possibly_behind, surely_behind)
    select new.org_id, new.user_id, new.role, sent.sender, at, at, possibly_behind_link(sent.sender, sent.possible, sent.sure), sent.sure
    from (
      select e.key::uuid as sender, array(select jsonb_array_elements_text(e.value -> 'possible')::uuid) as possible,
             array(select jsonb_array_elements_text(e.value -> 'sure')::uuid) as sure
      from jsonb_each(used.earlier_inviters) e
    ) sent where sent.sender <> new.user_id;
  end if;
  if used.possible_inviters is not null then
    possible := possibly_behind_link(new.given_by, used.possible_inviters, used.sure_inviters);
    sure := used.sure_inviters;
  elsif new.given_by is not null then
    possible := possibly_behind_gift(new.org_id, new.given_by);
    sure := surely_behind_gift(new.org_id, new.given_by);
  end if;
  insert into role_history (org_id, user_id, role, given_by, since, possibly_behind, surely_behind)
  values (new.org_id, new.user_id, new.role, new.given_by, at, possible, sure);
  return null;
end
$$;
do $$
begin
  -- Replacing a function drops its settings: a security definer function finds its tables where they were made.
  execute format('alter function keep_role_history() set search_path = %I, pg_temp', current_schema());
end
$$;
