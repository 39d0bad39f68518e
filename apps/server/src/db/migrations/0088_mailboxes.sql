-- Gmail ignores dots in the local part, and googlemail.com is its other name: these are addresses of one mailbox too.
drop index users_by_mailbox;
create or replace function mailbox_of(email text) returns text language sql immutable as $$
  select case
    when split_part(email, '@', 2) in ('gmail.com', 'googlemail.com')
    then replace(split_part(split_part(email, '@', 1), '+', 1), '.', '') || '@gmail.com'
    else regexp_replace(email, '\+[^@]*@', '@')
  end
$$;
create index users_by_mailbox on users (mailbox_of(email));
