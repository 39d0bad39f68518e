-- Until then, the person can sign in with their password although the installation requires the identity provider.
alter table users add column password_allowed_until timestamptz;
