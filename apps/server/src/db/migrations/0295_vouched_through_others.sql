-- Only confirmations by accounts with a proof of their own counted. So if only Mara vouches for an account, and the account confirmed
-- another one, powers that the other one gave weren't compared with Mara's work.

create index confirmations_by_decider on confirmations (org_id, decided_by) where kind = 'member' and status = 'confirmed';

create function lacks_own_proof(account uuid) returns boolean language plpgsql stable as $$
begin
  return (select u.proved_by is null from users u where u.id = account);
end
$$;

-- The proved mailboxes that vouch for an account without a proof of its own, also through confirmers without one.
create function vouching_mailboxes(org uuid, person uuid) returns text[] language plpgsql stable as $$
begin
  return array(
    with recursive words (id) as (
      select person
      union
      -- `offset 0`: for each account, its rows are read by their keys. A join could read all accounts of the installation.
      select by.id from words w cross join lateral (
        select k.decided_by as id from confirmations k
        where k.org_id = org and k.kind = 'member' and k.status = 'confirmed' and k.subject_id = w.id::text
          and lacks_own_proof(w.id) and confirmation_counts(k)
        offset 0
      ) by
    )
    select distinct (select mailbox_of(u.email) from users u where u.id = w.id) from words w where not lacks_own_proof(w.id)
  );
end
$$;

-- As before, also through accounts without a proof of their own.
create or replace function only_vouched(org uuid, people uuid[]) returns uuid[] language plpgsql stable as $$
declare
  own text[];
begin
  if not exists (select from confirmations k where k.org_id = org and k.kind = 'member' and k.status = 'confirmed') then
    return '{}';
  end if;
  own := array(select distinct mailbox_of(u.email) from users u where u.id = any (people));
  return array(
    with recursive confirmed (id) as (
      select twin.id from unnest(own) mailbox
      cross join lateral (select u.id from users u where mailbox_of(u.email) = mailbox offset 0) twin
      union
      select subject.id from confirmed c cross join lateral (
        select k.subject_id::uuid as id from confirmations k
        where k.org_id = org and k.kind = 'member' and k.status = 'confirmed' and k.decided_by = c.id
        offset 0
      ) subject
      where lacks_own_proof(subject.id)
    )
    select c.id from confirmed c
    cross join lateral (select vouching_mailboxes(org, c.id) as by where lacks_own_proof(c.id) offset 0) vouched
    where cardinality(vouched.by) = 1 and vouched.by <@ own
  );
end
$$;
