-- A digest whose mail was tried for days in vain, or whose person has left.
alter table digests drop constraint digests_state_check;
alter table digests add constraint digests_state_check check (state in ('waiting', 'sending', 'sent', 'given_up'));

-- Who was removed, or left, keeps no personal token that would open the organization again once they come back.
update api_tokens t set revoked_at = now()
where t.kind = 'personal' and t.revoked_at is null
  and not exists (select from memberships m where m.org_id = t.org_id and m.user_id = t.user_id);
