-- Who vouches for a member: managers whose own address is proved, by mail or the identity provider.
create function vouchers_of(org uuid, person uuid) returns uuid[] language plpgsql stable as $$
begin
  return array(
    select distinct k.decided_by
    from confirmations k join users u on u.id = k.decided_by
    where k.org_id = org and k.kind = 'member' and k.subject_id = person::text and k.status = 'confirmed'
      and u.proved_by is not null
  );
end
$$;

-- As before, and who vouches for the account and whether the organization reviews strictly.
create or replace function account_standing(org uuid, person uuid) returns json language plpgsql stable as $$
declare
  proof text := member_proof(org, person);
  more jsonb := jsonb_build_object(
    'vouchedBy', vouchers_of(org, person), 'isStrict', (select o.strict from organizations o where o.id = org)
  );
begin
  if proof is not null then
    return jsonb_build_object('provedBy', proof) || more;
  end if;
  return unproved_standing(org, person)::jsonb || more;
end
$$;

-- True if the account is proved, or no other proved manager could confirm it; under strict review, only if its address is proved or
-- a manager whose address is proved vouches for it.
create or replace function may_decide_steps(org uuid, person uuid) returns boolean language plpgsql stable as $$
declare
  standing json := account_standing(org, person);
begin
  if (standing ->> 'isStrict')::boolean then
    return coalesce(standing ->> 'provedBy', '') in ('mailbox', 'provider', 'earlier')
      or json_array_length(standing -> 'vouchedBy') > 0;
  end if;
  return not coalesce((standing ->> 'hasSecondManager')::boolean, false);
end
$$;

-- As before, but an account that nobody except those behind it could confirm acts for itself; its acts are marked.
create or replace function people_behind(org uuid, person uuid) returns uuid[] language plpgsql stable as $$
declare
  standing json := account_standing(org, person);
begin
  return array[person]
    || case when (standing ->> 'hasSecondManager')::boolean or (standing ->> 'isStrict')::boolean
         then array(select json_array_elements_text(standing -> 'alsoCountsAs')::uuid)
       end
    || array(
      select twin.id from users u join users twin on mailbox_of(twin.email) = mailbox_of(u.email)
      where u.id = person and twin.id <> person
    );
end
$$;
