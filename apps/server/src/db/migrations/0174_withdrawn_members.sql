-- The request to confirm a member can't be withdrawn any more. If it was withdrawn, the managers are asked again.
insert into confirmations (org_id, id, kind, subject_id, payload, sentence, proposed_by)
select k.org_id, gen_random_uuid(), k.kind, k.subject_id, k.payload, k.sentence, k.proposed_by
from confirmations k
join memberships m on m.org_id = k.org_id and m.user_id::text = k.subject_id and m.role = k.payload ->> 'role'
where k.kind = 'member' and k.status = 'withdrawn' and not exists (
  select from confirmations later
  where later.org_id = k.org_id and later.kind = k.kind and later.subject_id = k.subject_id
    and (later.proposed_at, later.id) > (k.proposed_at, k.id)
);
