-- Deletes at most this many rows of a kind that are older than its life, so that no statement locks many rows or runs
-- for long. The server has the table of kinds and lives.
create function sweep_piece(kind text, life interval, most integer) returns integer language plpgsql security definer as $$
declare
  deleted integer;
begin
  case kind
    when 'sessions' then
      delete from sessions where ctid = any (array(select ctid from sessions where expires_at < now() - life limit most));
    when 'password_resets' then
      delete from password_resets
      where ctid = any (array(select ctid from password_resets where expires_at < now() - life limit most));
    when 'rate_limits' then
      delete from rate_limits
      where ctid = any (array(select ctid from rate_limits where window_start < now() - life limit most));
    when 'idempotency_keys' then
      delete from idempotency_keys
      where ctid = any (array(select ctid from idempotency_keys where created_at < now() - life limit most));
    when 'notifications' then
      delete from notifications
      where ctid = any (array(select ctid from notifications where created_at < now() - life limit most));
    when 'role_notifications' then
      delete from role_notifications
      where ctid = any (array(select ctid from role_notifications where created_at < now() - life limit most));
    when 'digests' then
      -- A digest remains as long as one of its notifications.
      delete from digests
      where ctid = any (array(
        select d.ctid from digests d
        where d.day < now() - life
          and not exists (select from notifications n where n.org_id = d.org_id and n.digest_id = d.id)
        limit most
      ));
    when 'webhook_deliveries' then
      delete from webhook_deliveries
      where ctid = any (array(
        select ctid from webhook_deliveries where state <> 'waiting' and ended_at < now() - life limit most
      ));
    when 'slack_messages' then
      delete from slack_messages
      where ctid = any (array(
        select ctid from slack_messages where state in ('sent', 'failed') and at < now() - life limit most
      ));
    when 'failed_jobs' then
      -- The queue's tables are created by the first server that starts, after the migrations.
      if to_regclass('graphile_worker._private_jobs') is null then return 0; end if;
      delete from graphile_worker._private_jobs
      where id = any (array(
        select id from graphile_worker._private_jobs
        where attempts >= max_attempts and locked_at is null and updated_at < now() - life limit most
      ));
    else raise exception 'unknown kind %', kind;
  end case;
  get diagnostics deleted = row_count;
  return deleted;
end
$$;
do $$
begin
  execute format('alter function sweep_piece(text, interval, integer) set search_path = %I, pg_temp', current_schema());
end
$$;
revoke execute on function sweep_piece(text, interval, integer) from public;
grant execute on function sweep_piece(text, interval, integer) to stet_app;
drop function sweep_idempotency_keys();

-- Rows of these tables are written in the order of their age, so a few pages of a BRIN index find the oldest.
create index notifications_by_age on notifications using brin (created_at);
create index role_notifications_by_age on role_notifications using brin (created_at);
create index slack_messages_by_age on slack_messages using brin (at);

-- By default, a table is vacuumed when a fifth of its rows are dead. Small tables whose rows change all the time would
-- grow to many times their size in between, and large ones would be vacuumed rarely and then for long.
alter table outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
alter table idempotency_keys set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
alter table rate_limits set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
alter table audit_heads set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
alter table run_counts set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
alter table open_runs set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
alter table run_crossings set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
alter table run_tasks set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
alter table sessions set (autovacuum_vacuum_scale_factor = 0.05);
alter table runs set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table run_steps set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table notifications set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
-- Rows are only inserted. Vacuuming them keeps index-only scans fast and spreads the work of freezing.
alter table audit_events set (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
