-- An unproved member is proposed in the name of the person who invited them. Nobody could confirm the proposals of others: the
-- inviter counts as the same person, and the proposer can't confirm their own proposal.
update confirmations k set proposed_by = m.invited_by
from memberships m
where k.kind = 'member' and k.status = 'waiting' and m.org_id = k.org_id and m.user_id::text = k.subject_id
  and m.invited_by <> k.proposed_by and member_proof(m.org_id, m.user_id) is null;

-- Proposes editors and viewers who joined before members of every role could be confirmed. Earlier decisions stay.
with names as (
  -- Right-to-left names are isolated, as in new sentences.
  select id, email, name, case
    when name ~ '[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\U00010800-\U00010FFF\U0001E800-\U0001EBFF]'
      then chr(8206) || chr(8296) || name || chr(8297)
    else name
  end as isolated_name
  from users
)
insert into confirmations (org_id, id, kind, subject_id, payload, sentence, proposed_by)
select m.org_id, gen_random_uuid(), 'member', m.user_id::text,
       jsonb_build_object('name', member.name, 'email', member.email, 'role', m.role),
       format('Confirm that you know %s (%s), whom %s made %s %s.', member.isolated_name, member.email, giver.isolated_name,
              case when m.role ~ '^[aeo]' then 'an' else 'a' end, m.role),
       m.invited_by
from memberships m
join names member on member.id = m.user_id
join names giver on giver.id = coalesce(m.given_by, m.invited_by)
where m.invited_by is not null and member_proof(m.org_id, m.user_id) is null
  and not exists (select from identities i where i.user_id = m.user_id)
  and not exists (
    select from confirmations k
    where k.org_id = m.org_id and k.kind = 'member' and k.subject_id = m.user_id::text and k.status <> 'replaced'
  );
