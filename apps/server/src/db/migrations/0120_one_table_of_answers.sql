-- Answers to a person's Idempotency-Key on calls of the account itself were in a table of their own. They are in the one table
-- now, under the account's id in place of an organization's, which is why the key no longer refers to organizations.
alter table idempotency_keys drop constraint idempotency_keys_org_id_fkey;
insert into idempotency_keys (org_id, user_id, key, request_digest, answer, created_at)
select user_id, user_id, key, request_digest, answer, created_at from person_keys;
drop table person_keys;
