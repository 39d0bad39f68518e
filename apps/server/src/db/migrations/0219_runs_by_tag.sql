-- The workflows with tags, for lists that are filtered by a tag.
create index workflows_with_tags on workflows (org_id, key) where tags <> '{}' and deleted_at is null;

-- As before, but the runs can be limited to those of several workflows.
drop function search_runs(text, text, text, boolean, integer, timestamptz, timestamptz, uuid, text, smallint, timestamptz, timestamptz, text, text, integer, text, smallint, text);
create function search_runs(
  pattern text, of_order text, without text, is_in_trouble boolean, most integer, key_due timestamptz, key_at timestamptz,
  key_id uuid, key_name text, key_rank smallint, since timestamptz, until timestamptz, of_status text, of_workflow text,
  of_version integer, of_env text, of_priority smallint, of_sla text,
  of_workflows text[]
) returns table (id uuid) language plpgsql stable security definer as $$
begin
  if of_order = 'due' then
    return query execute
      'select o.run_id from open_runs o'
      || case when pattern is not null then ' join runs r on r.org_id = $1 and r.id = o.run_id' else '' end
      || ' where o.org_id = $1 and (o.due_at, o.started_at, o.run_id) > ($3, $4, $5)'
      || case when pattern is not null then ' and o.words like lower($2) and (r.name || '' '' || r.workflow_title) ilike $2' else '' end
      || case when since > '-infinity' then ' and o.started_at >= $7' else '' end
      || case when until < 'infinity' then ' and o.started_at <= $8' else '' end
      || case when of_status is not null then ' and o.status = $9' else '' end
      || case when of_workflow is not null then ' and o.workflow_key = $10' else '' end
      || case when of_version is not null then ' and o.version = $11' else '' end
      || case when of_env is not null then ' and o.env = $12' else '' end
      || case when of_priority is not null then ' and o.priority_rank = $13' else '' end
      || case when of_sla is not null then ' and o.sla_state = $14' else '' end
      || case when of_workflows is not null then ' and o.workflow_key = any ($15)' else '' end
      || case when is_in_trouble then
           ' and (o.status = ''failed'' or (o.status = ''running'' and o.sla_state in (''at_risk'', ''breached'')))'
         else '' end
      || ' order by o.due_at, o.started_at, o.run_id limit $6'
    using current_org(), pattern, key_due, key_at, key_id, most, since, until, of_status, of_workflow, of_version, of_env,
          of_priority, of_sla, of_workflows;
    return;
  end if;
  return query execute
    'select r.id from runs r where r.org_id = $1'
    || case when pattern is not null then ' and (r.name || '' '' || r.workflow_title) ilike $2' else '' end
    || case when since > '-infinity' then ' and r.created_at >= $8' else '' end
    || case when until < 'infinity' then ' and r.created_at <= $9' else '' end
    || case when of_status is not null then ' and r.status = $10' else '' end
    || case when of_workflow is not null then ' and r.workflow_key = $11' else '' end
    || case when of_version is not null then ' and r.version = $12' else '' end
    || case when of_env is not null then ' and r.env = $13' else '' end
    || case when of_priority is not null then ' and r.priority_rank = $14' else '' end
    || case when of_sla is not null then ' and $15 = run_sla_state(r.has_clock, r.at_risk_at, r.breach_at, r.clock_stopped_at)' else '' end
    || case when of_workflows is not null then ' and r.workflow_key = any ($16)' else '' end
    || case without
         when 'open' then ' and r.status in (''completed'', ''cancelled'')'
         when 'in_trouble' then
           ' and not (r.status = ''failed'' or (r.status = ''running'' and r.sla_state in (''at_risk'', ''breached'')))'
         else '' end
    || case of_order
         when 'newest' then ' and (r.created_at, r.id) < ($3, $4) order by r.created_at desc, r.id desc'
         when 'oldest' then ' and (r.created_at, r.id) > ($3, $4) order by r.created_at, r.id'
         when 'name' then ' and (r.sort_name, r.id) > ($5, $4) order by r.sort_name, r.id'
         else ' and (r.priority_rank, r.created_at, r.id) < ($6, $3, $4)
                order by r.priority_rank desc, r.created_at desc, r.id desc'
       end
    || ' limit $7'
  using current_org(), pattern, key_at, key_id, key_name, key_rank, most, since, until, of_status, of_workflow, of_version,
        of_env, of_priority, of_sla, of_workflows;
end
$$;

-- A security definer function finds its tables where they were made, whoever calls it.
do $$
declare
  search text := 'search_runs(text, text, text, boolean, integer, timestamptz, timestamptz, uuid, text, smallint, timestamptz, timestamptz, text, text, integer, text, smallint, text, text[])';
begin
  execute format('alter function %s set search_path = %I, pg_temp', search, current_schema());
  execute format('revoke execute on function %s from public', search);
  execute format('grant execute on function %s to stet_app', search);
end
$$;
