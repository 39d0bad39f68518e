-- A manager whom someone honest appointed during the run no longer counted as another manager once a person who did the work had
-- changed their role, or had removed and invited them again. Now a role continues the person's earlier role unless someone gave it
-- back against the manager who had taken it away.

-- True if the role that a person had just before this time came from someone certainly behind the separated work, directly or
-- through others. Only the last gift of a role counts: giving it again means that another manager agrees. It doesn't count if another
-- manager confirmed the person later, or if the role continues one that they had when the run started or that came from someone else.
create or replace function role_comes_from(org uuid, person uuid, moment timestamptz, started timestamptz, doer_ids uuid[])
returns boolean language plpgsql stable as $$
declare
  held role_history;
  givers uuid[];
  -- The roles that came from these people.
  tainted uuid[] := '{}';
begin
  -- All roles since the run started of the person, and of everyone from whom they may have come, oldest first.
  for held in
    with recursive reached (id) as (
      select person
      union
      select behind.id
      from reached join role_history h on h.org_id = org and h.user_id = reached.id and h.since < moment
        and date_trunc('milliseconds', h.since) > started
      cross join lateral unnest(h.surely_behind || h.given_by) behind (id)
      where behind.id is not null
    )
    select h.* from reached join role_history h on h.org_id = org and h.user_id = reached.id and h.since < moment
      and date_trunc('milliseconds', h.since) > started
    order by h.since, h.until, h.id
  loop
    -- A role that nobody gave continues the one before it.
    givers := coalesce(held.surely_behind, array[coalesce(held.given_by, held.user_id)]);
    continue when not givers && doer_ids and not exists (
      select from role_history g
      where g.org_id = org and g.user_id = any (givers) and g.since < held.since and coalesce(g.until, 'infinity') >= held.since
        and g.id = any (tainted)
    );
    continue when is_confirmed_by_another(org, held.user_id, held.role, held.since, started, doer_ids);
    continue when exists (
      select from role_history e
      where e.org_id = org and e.user_id = held.user_id and e.role in ('owner', 'admin', held.role)
        and e.since < held.since and e.until > e.since and date_trunc('milliseconds', e.until) > started and e.id <> all (tainted)
        and roles_given_back(
          org, held.user_id, roles_including(held.role), greatest(started, date_trunc('milliseconds', e.since)),
          least(moment, coalesce(held.until, 'infinity'))) = '{}'
    );
    tainted := tainted || held.id;
  end loop;
  return exists (
    select from role_history h
    where h.org_id = org and h.user_id = person and h.since < moment and coalesce(h.until, 'infinity') >= moment and h.id = any (tainted)
  );
end
$$;
