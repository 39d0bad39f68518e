-- A restored database can contain an organization whose end has passed. It gets 30 days again, because the backup may have
-- been restored for its sake.
create function postpone_end(org uuid) returns void language sql security definer as $$
  update ending_organizations set ends_at = now() + interval '30 days' where org_id = org and ends_at <= now()
$$;
do $$
begin
  execute format('alter function postpone_end(uuid) set search_path = %I, pg_temp', current_schema());
  revoke execute on function postpone_end(uuid) from public;
end
$$;
grant execute on function postpone_end(uuid) to stet_app;
