-- The cast of a member's id to text used no index, so each confirmation of a member read all accounts of the installation.
create or replace function only_vouched(org uuid, people uuid[]) returns uuid[] language plpgsql stable as $$
begin
  if not exists (select from confirmations k where k.org_id = org and k.kind = 'member' and k.status = 'confirmed') then
    return '{}';
  end if;
  return array(
    select confirmed.id from (
      select distinct u.id from confirmations k
      join users u on u.id = case when k.kind = 'member' then k.subject_id::uuid end and u.proved_by is null
      join users voucher on voucher.id = k.decided_by
      where k.org_id = org and k.kind = 'member' and k.status = 'confirmed'
        and mailbox_of(voucher.email) in (select mailbox_of(p.email) from users p where p.id = any (people))
    ) confirmed
    cross join lateral (select vouchers_of(org, confirmed.id) as by offset 0) vouched
    where (
      select count(distinct mailbox_of(v.email)) = 1 and bool_and(mailbox_of(v.email) in (
        select mailbox_of(p.email) from users p where p.id = any (people)
      ))
      from users v where v.id = any (vouched.by)
    )
  );
end
$$;
