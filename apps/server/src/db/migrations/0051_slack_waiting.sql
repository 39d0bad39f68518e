-- What waits to be told in Slack, the longest first.
drop index slack_messages_waiting;
create index slack_messages_waiting on slack_messages (org_id, at) where state = 'waiting';

-- Organizations whose connection works, as far as is known, and in which something has waited for so long.
create function organizations_waiting_for_slack(idle_seconds float8) returns setof uuid language sql stable security definer as $$
  select c.org_id from slack_connections c
  where c.problem is null and exists (
    select from slack_messages m
    where m.org_id = c.org_id and m.state = 'waiting' and m.at < clock_timestamp() - make_interval(secs => idle_seconds))
$$;
do $$
begin
  execute format('alter function organizations_waiting_for_slack(float8) set search_path = %I, pg_temp', current_schema());
  revoke execute on function organizations_waiting_for_slack(float8) from public;
end
$$;
grant execute on function organizations_waiting_for_slack(float8) to stet_app;
