-- If the clock was far ahead when an organization was founded, the founder's role is dated in the future. Every role that the founder
-- gave was later than it. So the people whom they appointed counted as appointed lately until the clock had caught up.

-- As before, for `people`: the person whose role changes, and who gives it. But the role is later than the giver's own roles only if
-- those are at most a day ahead.
create or replace function next_role_change(org uuid, people uuid[]) returns timestamptz language plpgsql volatile as $$
begin
  return greatest(next_change(org), (
    select max(moment.at) + interval '1 microsecond' from role_history h cross join lateral (values (h.since), (h.until)) moment (at)
    where h.org_id = org and h.user_id = any (people)
      and (h.user_id = people[1] or moment.at <= clock_timestamp() + interval '1 day')
  ));
end
$$;

-- As before, but no run is older than the role with which someone founded the organization.
create or replace function had_role(org uuid, person uuid, roles text[], moment timestamptz) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from role_history h
    where h.org_id = org and h.user_id = person and h.role = any (roles) and date_trunc('milliseconds', h.since) <= moment
      and (h.until is null or date_trunc('milliseconds', h.until) > moment)
  ) or exists (
    select from organizations o cross join lateral (
      select h.* from role_history h where h.org_id = org and h.user_id = person order by h.since limit 1
    ) founding
    where o.id = org and o.founded_by = person and founding.given_by is null and founding.role = any (roles)
      and founding.since > clock_timestamp() + interval '1 day' and (founding.until is null or founding.until > moment)
  );
end
$$;

-- As before, but a role that is dated more than a day ahead may be older than what its holder gave. Its order isn't known, so the roles
-- are checked again until no further one is tainted.
create or replace function tainted_roles(org uuid, started timestamptz, doer_ids uuid[]) returns uuid[] language plpgsql stable as $$
declare
  held role_history;
  givers uuid[];
  tainted uuid[] := '{}';
  known integer;
  far timestamptz := clock_timestamp() + interval '1 day';
begin
  loop
    known := cardinality(tainted);
    for held in
      select h.* from role_history h
      where h.org_id = org and h.since > started and date_trunc('milliseconds', h.since) > started
      order by h.since, h.until, h.id
    loop
      continue when held.id = any (tainted);
      -- A role that nobody gave continues the one before it.
      givers := coalesce(held.surely_behind, array[coalesce(held.given_by, held.user_id)]);
      continue when not givers && doer_ids and (tainted = '{}' or not exists (
        select from role_history g
        where g.org_id = org and g.user_id = any (givers) and (g.since < held.since or g.since > far)
          and coalesce(g.until, 'infinity') >= held.since and g.id = any (tainted)
      ));
      continue when is_confirmed_by_another(org, held.user_id, held.role, held.since, started, doer_ids);
      -- If the latest earlier role of a kind doesn't excuse this one, because it was given back in between, no older one does.
      continue when exists (
        select from (
          select distinct on (e.role) e.role, e.since from role_history e
          where e.org_id = org and e.user_id = held.user_id and e.role in ('owner', 'admin', held.role)
            and e.since < held.since and e.until > e.since and date_trunc('milliseconds', e.until) > started and e.id <> all (tainted)
          order by e.role, e.since desc
        ) earlier
        where roles_given_back(
          org, held.user_id, roles_including(held.role) || earlier.role, greatest(started, date_trunc('milliseconds', earlier.since)),
          coalesce(held.until, 'infinity')) = '{}'
      );
      tainted := tainted || held.id;
    end loop;
    exit when cardinality(tainted) = known
      or not exists (select from role_history h where h.org_id = org and h.since > far);
  end loop;
  return tainted;
end
$$;

create or replace function addition_comes_from(
  org uuid, adders uuid[], added_at timestamptz, started timestamptz, doer_ids uuid[], tainted uuid[]
) returns boolean language plpgsql stable as $$
begin
  return date_trunc('milliseconds', added_at) > started and (adders && doer_ids or tainted <> '{}' and exists (
    select from role_history h
    where h.org_id = org and h.user_id = any (adders) and (h.since < added_at or h.since > clock_timestamp() + interval '1 day')
      and coalesce(h.until, 'infinity') >= added_at and h.id = any (tainted)
  ));
end
$$;
