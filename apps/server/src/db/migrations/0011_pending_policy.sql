-- A lowering of the required approvals that waits for a second owner or admin.
alter table organizations
  add column pending_approvals integer check (pending_approvals between 0 and 20),
  add column pending_proposed_by uuid references users (id),
  add column pending_proposed_at timestamptz,
  add check ((pending_approvals is null) = (pending_proposed_by is null) and (pending_approvals is null) = (pending_proposed_at is null));
