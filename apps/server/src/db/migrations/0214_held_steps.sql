-- The people who have an active step because they claimed it or it was handed over to them.
alter table run_steps add column held_by uuid[];
create index run_steps_held on run_steps (org_id, run_id) where held_by is not null;
