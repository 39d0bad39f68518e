import { visibleText } from '@stet/domain/workflows';

/**
 * Returns a stored value as text without JSON: booleans as yes or no, lists of texts separated by commas, and other
 * lists and objects as indented lines.
 */
export function plainText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return visibleText(value);
  if (typeof value !== 'object') return JSON.stringify(value) ?? '';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return visibleText(value.join(', '));
  return visibleText(nested(value, '').join('\n'));
}

function nested(value: unknown, indent: string): string[] {
  if (typeof value !== 'object' || value === null) return [`${indent}${plainText(value)}`];
  const entries = Array.isArray(value) ? value.map((item) => ['–', item] as const) : Object.entries(value);
  return entries.flatMap(([name, inner]) => {
    const lines = nested(inner, `${indent}  `);
    const head = Array.isArray(value) ? `${indent}–` : `${indent}${name}:`;
    const [only = ''] = lines;
    return lines.length <= 1 && typeof inner !== 'object' ? [`${head} ${only.trim()}`.trimEnd()] : [head, ...lines];
  });
}
