-- As before, but an invitation by an account that is disabled can't be opened. Since invitations are revoked when their sender is
-- disabled, this concerns only accounts that were disabled before.
create or replace function find_invitation(hash bytea)
returns table (
  org_id uuid, id uuid, email text, role text, org_name text, org_slug text, expires_at timestamptz, invited_by uuid, mailed boolean
) language sql stable security definer rows 1 as $$
  select i.org_id, i.id, i.email, i.role, o.name, o.slug, i.expires_at, i.invited_by, coalesce(i.mail_token_hash = hash, false)
  from invitations i join organizations o on o.id = i.org_id join users u on u.id = i.invited_by
  where (i.token_hash = hash or i.mail_token_hash = hash)
    and i.accepted_at is null and i.revoked_at is null and i.expires_at > now() and u.disabled_at is null
$$;
do $$
begin
  -- A security definer function finds its tables where they were made, whoever calls it.
  execute format('alter function find_invitation(bytea) set search_path = %I, pg_temp', current_schema());
end
$$;
