-- Steps are also counted by how often they were handed over, so all events are counted again, in the background.
delete from insight_cells;
update insight_cursors set seq = 0, at = 'epoch';
