-- The people who can't approve a step, but can reject it. Null if there are none, also for steps that were waiting before.
alter table run_tasks add column reject_ids uuid[];
