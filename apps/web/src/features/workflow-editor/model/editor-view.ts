/** The two views of a workflow: as a table, and in the builder. */
export type EditorView = 'table' | 'builder';
