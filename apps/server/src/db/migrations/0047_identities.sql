-- Who a person is to an identity provider. Issuer and subject name them for good; their address there may change.
create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id),
  -- The address under which they were connected.
  email text not null,
  connected_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identities_by_user on identities (user_id);

grant select, insert, update (email) on identities to stet_app;
