-- Sums by eight weeks -------------------------------------------------------------------------------------------------------
-- Kinds of cells that aren't shown by week are also summed by block, so that a year of a busy workflow is read quickly.
-- All events are counted again, in the background.
delete from insight_cells;
update insight_cursors set seq = 0, at = 'epoch';
alter table insight_cells add column is_block boolean not null default false;
alter table insight_cells drop constraint insight_cells_pkey;
alter table insight_cells add primary key (org_id, kind, workflow_key, is_block, week, version, digest);
drop index insight_cells_by_week;
create index insight_cells_by_week on insight_cells (org_id, kind, week) where not is_block;
