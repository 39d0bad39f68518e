import fc from 'fast-check';

/** The subset of JSON Schema that the API document uses. */
export type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  prefixItems?: Schema[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
};

const LONGEST = 40;

/** Returns small values that match a schema, or any value if it has no constraints. */
export function valuesOf(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, depth)));
  const [first] = schema.allOf ?? [];
  if (first) return valuesOf(first, depth);
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valuesOf({ ...schema, type }, depth)));
  switch (schema.type) {
    case 'string':
      return textsOf(schema);
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? -1000, -(2 ** 31)),
        max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1),
      });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(schema.items ? valuesOf(schema.items, depth + 1) : fc.jsonValue(), {
        minLength: Math.min(schema.minItems ?? 0, 3),
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'object':
      return objectsOf(schema, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectsOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  depth: number,
): fc.Arbitrary<unknown> {
  const names = Object.keys(properties);
  if (names.length === 0 && typeof additionalProperties === 'object')
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), valuesOf(additionalProperties, depth + 1), {
      maxKeys: 3,
    });
  if (depth > 6) return fc.constant({});
  const model = Object.fromEntries(names.map((name) => [name, valuesOf(properties[name] ?? {}, depth + 1)]));
  return fc.record(model, { requiredKeys: names.filter((name) => required.includes(name)) });
}

const moments = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') });
/** Texts by format. Mail to the email addresses reaches nobody. */
const FORMATS: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid(),
  'date-time': moments.map((date) => date.toISOString()),
  date: moments.map((date) => date.toISOString().slice(0, 10)),
  email: fc.nat().map((n) => `someone-${n}@example.com`),
  uri: fc.nat().map((n) => `https://host-${n}.invalid/`),
};

function textsOf({ pattern, format = '', minLength = 0, maxLength = LONGEST }: Schema): fc.Arbitrary<string> {
  const formed = FORMATS[format];
  if (formed) return formed;
  const length = {
    minLength: Math.min(minLength, LONGEST),
    maxLength: Math.min(maxLength, Math.max(LONGEST, minLength)),
  };
  if (pattern !== undefined) {
    try {
      return fc.stringMatching(new RegExp(pattern, 'u')).filter((text) => text.length <= maxLength);
    } catch {
      // No text can be generated from this pattern; it can only be tested.
    }
  }
  return fc.oneof(fc.string({ ...length, unit: 'grapheme' }), fc.lorem({ maxCount: 3 }));
}
