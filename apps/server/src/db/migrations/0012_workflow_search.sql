-- Search --------------------------------------------------------------------------------------------------------------
-- A text in the form in which texts are compared: lower case, without accents.
create function search_folded(t text) returns text language sql immutable parallel safe
  return case
    when octet_length(t) = length(t) then lower(t)
    else normalize(regexp_replace(normalize(lower(t), nfkd), '[\u0300-\u036f]', '', 'g'), nfkc)
  end;

-- The words of a text, folded. The parser is kept from seeing paths, hosts, tags and signed numbers: who looks for `reject`
-- finds `approve/reject`. A sign of a script that has no spaces is a word of its own. (Many `replace` are several times as
-- fast as one `translate`.)
create function search_words(t text) returns text[] language plpgsql immutable parallel safe as $$
declare
  folded text := search_folded(t);
begin
  if octet_length(folded) > length(folded) then
    folded := regexp_replace(
      regexp_replace(
        folded,
        '[\u00a0-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u2000-\u206f\u2190-\u21ff\u3000-\u3004\u3008-\u3030\uff00-\uff0f]',
        ' ', 'g'
      ),
      '([\u0e00-\u0e7f\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3031-\u30ff\u3400-\u9fff\uf900-\ufaff])',
      ' \1 ', 'g'
    );
  end if;
  folded := replace(replace(replace(replace(replace(replace(folded, '/', ' '), '.', ' '), '-', ' '), '_', ' '), ':', ' '), '@', ' ');
  folded := replace(replace(replace(replace(replace(replace(folded, '<', ' '), '&', ' '), '+', ' '), '~', ' '), '\', ' '), '''', ' ');
  return tsvector_to_array(to_tsvector('simple', folded));
end
$$;

-- What a version can be found by: its words, each with the numbers of the steps it stands in. 2001 stands for the title and
-- 2002 for the description. The organization is a word too, so that the index leads to its versions alone; in upper case,
-- as no word of a text is.
create function search_vector(org uuid, metadata jsonb, steps json) returns tsvector language plpgsql immutable as $$
declare
  tenant text := 'O' || replace(org::text, '-', '');
begin
  return tenant::tsvector || coalesce((
    select string_agg('''' || word || ''':' || places, ' ')
    from (
      select word, string_agg(place::text, ',') as places
      from (
        select place, word
        from (
          select n as place, concat_ws(' ', step ->> 'title', step ->> 'description', step ->> 'assignee') as body
          from json_array_elements(steps) with ordinality as s (step, n)
          union all select 2001, metadata ->> 'title'
          union all select 2002, metadata ->> 'description'
        ) texts, unnest(search_words(body)) word
      ) words
      group by word
    ) lexemes
  ), '')::tsvector;
exception
  -- PostgreSQL keeps at most a megabyte of words for a row: of what has more, the titles can be found.
  when program_limit_exceeded then
    return tenant::tsvector || coalesce((
      select string_agg('''' || word || ''':' || place, ' ')
      from (
        select n as place, left(step ->> 'title', 60) as body from json_array_elements(steps) with ordinality as s (step, n)
        union all select 2001, metadata ->> 'title'
      ) texts, unnest(search_words(body)) word
    ), '')::tsvector;
end
$$;

alter table workflow_versions add column search tsvector;
alter table workflows add column search_name text;

create function keep_version_search() returns trigger language plpgsql as $$
begin
  new.search := search_vector(new.org_id, new.metadata, new.steps);
  return new;
end
$$;
create trigger search_follows_content before insert or update of metadata, steps on workflow_versions
  for each row execute function keep_version_search();

create function keep_workflow_search() returns trigger language plpgsql as $$
begin
  new.search_name := search_folded(new.title || ' ' || new.key);
  return new;
end
$$;
create trigger search_follows_title before insert or update of title, key on workflows
  for each row execute function keep_workflow_search();

update workflow_versions set search = search_vector(org_id, metadata, steps);
update workflows set search_name = search_folded(title || ' ' || key);
alter table workflow_versions alter column search set not null;
alter table workflows alter column search_name set not null;

create index workflow_versions_search on workflow_versions using gin (search) where status in ('draft', 'in_review', 'live');

-- The workflows of the tenant of which the live version or an open draft has all these words, or words that begin so.
-- Row-level security keeps a text search from using its index; this function's owner sees past it, so it names the tenant.
create function search_workflows(words text[]) returns table (workflow_id uuid) language sql stable security definer as $$
  select distinct v.workflow_id
  from workflow_versions v
  where v.org_id = current_org() and v.status in ('draft', 'in_review', 'live') and v.search @@ (
    select ('''O' || replace(current_org()::text, '-', '') || ''' & ' || string_agg('''' || word || ''':*', ' & '))::tsquery
    from unnest(words) word
  )
$$;

do $$
begin
  execute format('alter function search_workflows(text[]) set search_path = %I, pg_temp', current_schema());
end
$$;
revoke execute on function search_workflows(text[]) from public;
grant execute on function search_workflows(text[]) to stet_app;
