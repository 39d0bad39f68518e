-- Pending invitations of people who don't manage the organization any more open nothing from now on. They stay in the list as
-- expired, where a manager can send them again or revoke them.
update invitations i set expires_at = least(i.expires_at, now())
where i.accepted_at is null and i.revoked_at is null
  and not exists (
    select from memberships m where m.org_id = i.org_id and m.user_id = i.invited_by and m.role in ('owner', 'admin')
  );
