-- As before, without deleting old deliveries: housekeeping does that, in pieces.
create or replace function sweep_webhooks() returns integer language plpgsql security definer as $$
declare
  made integer;
begin
  insert into outbox (task, payload, job_key, turn_of)
  select distinct 'deliver_webhook',
         jsonb_build_object('orgId', d.org_id, 'webhookId', d.webhook_id, 'subject', d.subject),
         'webhook:' || d.webhook_id || ':' || d.subject, d.org_id::text
  from (
    select q.* from webhook_deliveries q
    join webhooks w on w.org_id = q.org_id and w.id = q.webhook_id and w.is_active and (w.hold_until is null or w.hold_until < now())
    where q.state = 'waiting' and q.next_attempt_at < now() - interval '2 minutes'
      and (q.claimed_until is null or q.claimed_until < now())
    order by q.next_attempt_at limit 500
  ) d;
  get diagnostics made = row_count;
  return made;
end
$$;
do $$
begin
  -- Replacing a function also removes its settings.
  execute format('alter function sweep_webhooks() set search_path = %I, pg_temp', current_schema());
end
$$;
