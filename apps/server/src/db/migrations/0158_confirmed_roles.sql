-- A manager's confirmation of a member counts up to the kind of role that it names. Earlier confirmations still count for every
-- role.
alter table confirmations add column counts_for_all_roles boolean not null default false;
update confirmations set counts_for_all_roles = true where kind = 'member' and status = 'confirmed';
