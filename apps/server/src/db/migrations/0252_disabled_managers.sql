-- As before, but an account that the administrator disabled isn't another manager, because it can't give anyone a power.

-- True if there is a proved manager, or was one in the last 7 days, other than this person and those certainly behind the work. A
-- manager whom these people appointed since the run started isn't one, and neither is an account that can't sign in any more.
create or replace function has_other_manager(org uuid, person uuid, doer_ids uuid[], started timestamptz) returns boolean
language plpgsql stable as $$
declare
  concerned uuid[] := surely_behind(org, person) || doer_ids;
begin
  return exists (
    select from role_history h join users u on u.id = h.user_id and u.disabled_at is null
    where h.org_id = org and h.role in ('owner', 'admin') and (h.until is null or h.until > greatest(h.since, now() - interval '7 days'))
      and h.user_id <> all (concerned) and member_proof(org, h.user_id) is not null
      and not role_comes_from(org, h.user_id, coalesce(h.until, 'infinity'), started, doer_ids)
  );
end
$$;
