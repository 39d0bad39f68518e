-- Proof of an account --------------------------------------------------------------------------------------------------
-- How an account has shown that its address belongs to its person; null until it has. Accounts from before this migration count
-- as proved.
alter table users
  add column proved_by text check (proved_by in ('mailbox', 'provider', 'earlier')),
  add column proved_at timestamptz;
update users set proved_by = 'earlier';

-- The code that was mailed last to an account's address; only its hash is stored.
create table address_codes (
  user_id uuid primary key references users (id),
  id uuid not null,
  code_hash bytea not null,
  attempts integer not null default 0,
  expires_at timestamptz not null default now() + interval '1 hour'
);

-- The mailed link carries a token of its own: the one that managers see proves nothing about the mailbox.
alter table invitations add column mail_token_hash bytea constraint invitations_by_mail_token unique;

alter table organizations
  -- Needs no proof in this organization.
  add column founded_by uuid references users (id),
  -- Marked approvals and self-approvals never count.
  add column strict boolean not null default false;
update organizations o set founded_by = u.id
from audit_events e join users u on u.id::text = e.actor
where e.org_id = o.id and e.action = 'organization.created';

-- Who gave which role, and until when it was held ----------------------------------------------------------------------
alter table memberships
  add column invited_by uuid references users (id),
  -- Who gave the role of today; null for a founder.
  add column given_by uuid references users (id);

create table role_history (
  org_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references users (id),
  role text not null,
  given_by uuid references users (id),
  since timestamptz not null,
  -- Null while the role is held.
  until timestamptz,
  primary key (org_id, id)
);
create index role_history_of_person on role_history (org_id, user_id, since);
create unique index role_history_held on role_history (org_id, user_id) where until is null;

update memberships m set invited_by = i.invited_by, given_by = i.invited_by
from users u, invitations i
where u.id = m.user_id and i.org_id = m.org_id and i.email = u.email and i.accepted_at is not null;

insert into role_history (org_id, user_id, role, given_by, since, until)
select m.org_id, m.user_id, m.role, m.given_by, m.created_at, null from memberships m;
-- Roles that someone gave later, and roles that ended, by the events that say so.
insert into role_history (org_id, user_id, role, given_by, since, until)
select e.org_id, u.id, e.payload::jsonb #>> '{data,after,role}', giver.id, e.at, e.at
from audit_events e join users u on u.id::text = e.subject_id left join users giver on giver.id::text = e.actor
where e.action = 'member.role_changed' and e.payload::jsonb #>> '{data,after,role}' is not null;
insert into role_history (org_id, user_id, role, given_by, since, until)
select e.org_id, u.id, coalesce(e.payload::jsonb #>> '{data,before,role}', e.payload::jsonb #>> '{data,role}'), null, e.at, e.at
from audit_events e join users u on u.id::text = e.subject_id
where e.action in ('member.role_changed', 'member.removed', 'member.left')
  and coalesce(e.payload::jsonb #>> '{data,before,role}', e.payload::jsonb #>> '{data,role}') is not null;
drop index audit_events_of_members;

create function keep_role_history() returns trigger language plpgsql security definer as $$
begin
  if tg_op <> 'INSERT' then
    if tg_op = 'UPDATE' and new.role = old.role then
      return null;
    end if;
    update role_history set until = now() where org_id = old.org_id and user_id = old.user_id and until is null;
  end if;
  if tg_op <> 'DELETE' then
    insert into role_history (org_id, user_id, role, given_by, since) values (new.org_id, new.user_id, new.role, new.given_by, now());
  end if;
  return null;
end
$$;
create trigger roles_are_remembered after insert or delete or update of role on memberships
  for each row execute function keep_role_history();

-- What waits for a second person ---------------------------------------------------------------------------------------
create table confirmations (
  org_id uuid not null references organizations (id),
  id uuid not null,
  kind text not null check (kind in ('member', 'policy', 'working_hours', 'escalation', 'emergency')),
  -- The person, the policy or the version that it is about.
  subject_id text not null,
  payload jsonb not null,
  -- What would change, in words, as it was proposed.
  sentence text not null,
  proposed_by uuid not null references users (id),
  proposed_at timestamptz not null default clock_timestamp(),
  status text not null default 'waiting' check (status in ('waiting', 'confirmed', 'refused', 'withdrawn', 'replaced')),
  decided_by uuid references users (id),
  decided_at timestamptz,
  reason text,
  primary key (org_id, id),
  check ((status = 'waiting') = (decided_at is null))
);
create unique index confirmations_one_waiting on confirmations (org_id, kind, subject_id) where status = 'waiting';
create index confirmations_waiting on confirmations (org_id, proposed_at desc, id desc) where status = 'waiting';
create index confirmations_of_members on confirmations (org_id, subject_id) where kind = 'member' and status = 'confirmed';

insert into confirmations (org_id, id, kind, subject_id, payload, sentence, proposed_by, proposed_at)
select id, gen_random_uuid(), 'policy', 'requiredApprovals', jsonb_build_object('requiredApprovals', pending_approvals),
       format('Lower the required approvals from %s to %s.', required_approvals, pending_approvals),
       pending_proposed_by, pending_proposed_at
from organizations where pending_approvals is not null;
alter table organizations drop column pending_approvals, drop column pending_proposed_by, drop column pending_proposed_at;

-- Reviews ------------------------------------------------------------------------------------------------------------
-- The account whose saves made this person a contributor: an account that wasn't proved when it saved. Null for one's own saves.
alter table draft_contributors add column through uuid references users (id);
alter table draft_reviews add column by_token boolean not null default false;
-- Whose approvals a version went live with, and what has to be known about each; null for versions from before.
alter table workflow_versions add column approvals jsonb;

-- Requests for changes outlive their draft: they stand on every draft of the same content.
create table draft_objections (
  org_id uuid not null references organizations (id),
  id uuid not null,
  draft_id uuid not null,
  content_hash text not null,
  reviewer_id uuid not null references users (id),
  comment text not null,
  at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  ended_by uuid references users (id),
  -- Why someone else set it aside; null where the reviewer approved.
  ended_because text,
  primary key (org_id, id)
);
create index draft_objections_of_draft on draft_objections (org_id, draft_id) where ended_at is null;
create index draft_objections_of_content on draft_objections (org_id, content_hash) where ended_at is null;

insert into draft_objections (org_id, id, draft_id, content_hash, reviewer_id, comment, at)
select r.org_id, r.id, r.draft_id, r.content_hash, r.reviewer_id, r.comment, r.at
from draft_reviews r join workflow_versions v on v.org_id = r.org_id and v.id = r.draft_id and v.version is null
where r.verdict = 'changes_requested' and not exists (
  select from draft_reviews later
  where later.org_id = r.org_id and later.draft_id = r.draft_id and later.reviewer_id = r.reviewer_id
    and (later.at, later.id) > (r.at, r.id)
);

-- What follows a + in an address only sorts the mail of one mailbox.
create function mailbox_of(email text) returns text language sql immutable as $$
  select regexp_replace(email, '\+[^@]*@', '@')
$$;
create index users_by_mailbox on users (mailbox_of(email));

-- Who stands behind an account -----------------------------------------------------------------------------------------
-- How a person is proved in an organization; null where they aren't.
create function member_proof(org uuid, person uuid) returns text language plpgsql stable as $$
begin
  return (
    select coalesce(
      u.proved_by,
      case when exists (
        select from confirmations k
        where k.org_id = org and k.kind = 'member' and k.subject_id = person::text and k.status = 'confirmed'
      ) then 'manager' end,
      case when exists (select from organizations o where o.id = org and o.founded_by = person) then 'founder' end
    )
    from users u where u.id = person
  );
end
$$;

-- What an account that isn't proved may rely on: whose its acts count as as well, whether there is a proved manager besides
-- those (or was one in the last 7 days, then until when that holds), and whether anyone proved manages the organization at all.
create function unproved_standing(org uuid, person uuid) returns json language plpgsql stable as $$
declare
  behind uuid[];
begin
  with recursive chain (id, depth) as (
    select m.invited_by, 1 from memberships m where m.org_id = org and m.user_id = person and m.invited_by is not null
    union
    select m.invited_by, chain.depth + 1 from chain
    join memberships m on m.org_id = org and m.user_id = chain.id and m.invited_by is not null
    where member_proof(org, chain.id) is null and chain.depth < 20
  )
  select coalesce(array_agg(distinct id), '{}') into behind from chain where id <> person;
  return (
    select json_build_object(
      'alsoCountsAs', behind,
      'hasSecondManager', coalesce(bool_or(h.user_id <> all (behind)), false),
      'secondManagerUntil',
        case when bool_or(h.user_id <> all (behind) and h.until is null) then null
             else max(h.until) filter (where h.user_id <> all (behind)) + interval '7 days' end,
      'isManaged', coalesce(bool_or(h.until is null), false)
    )
    from role_history h
    where h.org_id = org and h.user_id <> person and h.role in ('owner', 'admin')
      and (h.until is null or h.until > now() - interval '7 days') and member_proof(org, h.user_id) is not null
  );
end
$$;

drop function find_session(uuid);
create function find_session(session uuid)
returns table (
  user_id uuid, email text, name text, role text, org_id uuid, org_role text, organizations json, seen_lately boolean,
  proved_by text, standing json, same_mailbox uuid[]
) language plpgsql stable security definer rows 1 as $$
#variable_conflict use_column
begin
  return query
  select u.id, u.email, u.name, u.role, m.org_id, m.role, (
    select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'type', o.type, 'slug', o.slug, 'role', om.role)
                             order by om.created_at, o.id), '[]')
    from memberships om join organizations o on o.id = om.org_id where om.user_id = u.id
  ), s.last_seen_at > now() - interval '1 minute',
  u.proved_by, case when u.proved_by is null and m.org_id is not null then account_standing(m.org_id, u.id) end,
  array(select o.id from users o where mailbox_of(o.email) = mailbox_of(u.email) and o.id <> u.id)
  from sessions s
  join users u on u.id = s.user_id
  left join memberships m on m.user_id = u.id and m.org_id = selected_org(u.id)
  where s.id = session and s.ended_at is null and s.expires_at > now();
end
$$;

-- As `unproved_standing`, with the proof that the organization itself gives.
create function account_standing(org uuid, person uuid) returns json language plpgsql stable as $$
declare
  proof text := member_proof(org, person);
begin
  if proof is not null then
    return json_build_object('provedBy', proof);
  end if;
  return unproved_standing(org, person);
end
$$;

drop function find_api_token(bytea);
create function find_api_token(token_hash bytea)
returns table (
  id uuid, kind text, token_name text, scopes text[], user_id uuid, email text, name text, role text,
  org_id uuid, org_role text, organizations json, seen_lately boolean, proved_by text, standing json,
  same_mailbox uuid[]
) language plpgsql stable security definer rows 1 as $$
#variable_conflict use_column
begin
  return query
  select t.id, t.kind, t.name, t.scopes, u.id, u.email, u.name, u.role, o.id, coalesce(t.role, m.role),
         json_build_array(json_build_object('id', o.id, 'name', o.name, 'type', o.type, 'slug', o.slug, 'role', coalesce(t.role, m.role))),
         coalesce(t.last_used_at > now() - interval '1 minute', false),
         u.proved_by, case when u.proved_by is null then account_standing(o.id, u.id) end,
         array(select s.id from users s where mailbox_of(s.email) = mailbox_of(u.email) and s.id <> u.id)
  from api_tokens t
  join organizations o on o.id = t.org_id
  join users u on u.id = t.user_id
  left join memberships m on m.org_id = t.org_id and m.user_id = t.user_id
  where t.hash = token_hash and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
    and (t.kind = 'organization' or (m.role is not null and (u.tokens_ended_at is null or t.created_at > u.tokens_ended_at)));
end
$$;

drop function find_invitation(bytea);
create function find_invitation(hash bytea)
returns table (
  org_id uuid, id uuid, email text, role text, org_name text, org_slug text, expires_at timestamptz, invited_by uuid, mailed boolean
) language sql stable security definer rows 1 as $$
  select i.org_id, i.id, i.email, i.role, o.name, o.slug, i.expires_at, i.invited_by, coalesce(i.mail_token_hash = hash, false)
  from invitations i join organizations o on o.id = i.org_id
  where (i.token_hash = hash or i.mail_token_hash = hash)
    and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
$$;

-- In whichever organization: an account that isn't proved could found one for every few invitations.
create function invitations_sent_by(person uuid) returns integer language sql stable security definer as $$
  select count(*)::integer from invitations where invited_by = person
$$;
create index invitations_by_inviter on invitations (invited_by);

-- Rights -------------------------------------------------------------------------------------------------------------
grant select, insert, update, delete on address_codes to stet_app;
grant select on role_history to stet_app;
grant select, insert, update on confirmations, draft_objections to stet_app;

do $$
declare
  name text;
begin
  foreach name in array array['role_history', 'confirmations', 'draft_objections'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to stet_app using (org_id = current_org()) with check (org_id = current_org())', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
  -- A security definer function finds its tables where they were made, whoever calls it.
  foreach name in array array[
    'keep_role_history()', 'find_session(uuid)', 'find_api_token(bytea)', 'find_invitation(bytea)', 'invitations_sent_by(uuid)'
  ] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
    execute format('revoke execute on function %s from public', name);
  end loop;
end
$$;
grant execute on function find_session(uuid), find_api_token(bytea), find_invitation(bytea), invitations_sent_by(uuid) to stet_app;
