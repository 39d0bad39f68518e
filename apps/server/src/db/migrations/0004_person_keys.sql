-- Answers already given to a person's Idempotency-Key on calls of the account itself, which belong to no organization.
create table person_keys (
  user_id uuid not null references users (id),
  key text not null,
  request_digest text not null,
  answer text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index person_keys_by_age on person_keys (created_at);
grant select, insert, delete on person_keys to stet_app;
