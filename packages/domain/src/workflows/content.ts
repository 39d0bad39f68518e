import type { Step } from '../steps/index.ts';

/**
 * The texts that describe a whole workflow: each with its label, its maximum length in characters, and its initial
 * value. Schemas, diffs, merges, files and labels use this list.
 */
export const METADATA = {
  title: { label: 'Name', limit: 200, empty: '' },
  description: { label: 'Description', limit: 5000, empty: '' },
} as const satisfies Record<string, { label: string; limit: number; empty: string }>;
export type MetadataField = keyof typeof METADATA;
export const METADATA_FIELDS = Object.keys(METADATA) as MetadataField[];

/** The fields that every stored version has. */
const ORIGINAL_FIELDS = ['title', 'description'] as const;
type OriginalField = (typeof ORIGINAL_FIELDS)[number];
export type LaterField = Exclude<MetadataField, OriginalField>;

/** True for a field that was added later; older stored versions don't have it. */
export const isLaterField = (field: MetadataField): field is LaterField =>
  !(ORIGINAL_FIELDS as readonly string[]).includes(field);

/** Read fields with `metadataValue`, because a version may be older than a field. */
export type WorkflowMetadata = Record<OriginalField, string> & Partial<Record<LaterField, string | undefined>>;

/** Returns an object with a computed value for each metadata field, in list order. */
export const metadataOf = <Value>(valueOf: (field: MetadataField) => Value): Record<MetadataField, Value> =>
  Object.fromEntries(METADATA_FIELDS.map((field) => [field, valueOf(field)])) as Record<MetadataField, Value>;

/**
 * Returns the value of a metadata field. A missing field, as in a version stored before the field existed, has its
 * empty value.
 */
export const metadataValue = (metadata: Partial<WorkflowMetadata>, field: MetadataField): string =>
  metadata[field] ?? METADATA[field].empty;

/**
 * Returns the metadata with a new value for a field. An empty later field is absent, so that clearing it restores the
 * hash that the content had before the field was filled in.
 */
export function withMetadataValue(
  metadata: WorkflowMetadata,
  field: MetadataField,
  value: string,
  isLater: boolean = isLaterField(field),
): WorkflowMetadata {
  const changed: Partial<WorkflowMetadata> = { ...metadata, [field]: value };
  if (isLater && value === METADATA[field].empty) delete changed[field];
  return changed as WorkflowMetadata;
}

/** The content before any edit. */
export const EMPTY_CONTENT: WorkflowContent = { metadata: metadataOf((field) => METADATA[field].empty), steps: [] };

/** A version's content. The content hash covers it, and approvals refer to that hash. */
export type WorkflowContent = { metadata: WorkflowMetadata; steps: Step[] };

/** Limits of a workflow. Lengths in characters. */
export const LIMITS = {
  key: 120,
  stepTitle: 300,
  stepDescription: 20_000,
  /** For all names together. In any script, this is shorter than the longest index entry. */
  assignee: 600,
  steps: 1000,
  nextPerStep: 200,
} as const;
