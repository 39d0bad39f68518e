-- The delegator, if the reviewer reviewed as their delegate.
alter table draft_reviews add column on_behalf_of uuid references users (id);

-- The delegate who requested the changes, if they did it for the reviewer. The request is the reviewer's: they end it.
alter table draft_objections add column delegate_id uuid references users (id);
