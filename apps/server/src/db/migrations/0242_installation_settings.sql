-- Settings of the installation that its administrators change while it runs. Only the owner of the schema writes here.
create table installation_settings (
  is_only boolean primary key default true check (is_only),
  -- In the format of SIGN_UP. If it is null, SIGN_UP applies.
  sign_up text check (length(sign_up) <= 2000),
  changed_at timestamptz not null default now(),
  changed_by text not null
);
grant select on installation_settings to stet_app;
