import { FIELD_ID, FIELD_KINDS, FIELD_LIMITS, type InputField, STEP_KINDS, checkFieldList } from '@stet/domain/steps';
import { z } from 'zod';
import { commonFields, skip } from './common.ts';

const { assignedRole, fields } = STEP_KINDS.manual.settings;

const inputField = z.strictObject({
  id: z
    .string()
    .regex(FIELD_ID, 'A field name can contain letters, digits and underscores, and can’t start with a digit'),
  label: z.string().max(FIELD_LIMITS.label),
  kind: z.enum(FIELD_KINDS),
  options: z
    .array(z.string().max(FIELD_LIMITS.option))
    .max(FIELD_LIMITS.options)
    .optional()
    .describe('For the kinds choice and many_of'),
  required: z.boolean().default(false),
  requiredIf: z
    .string()
    .max(FIELD_LIMITS.requiredIf)
    .optional()
    .describe('A FEEL expression about the other fields of the form; if it is true, the field is required'),
  help: z.string().max(FIELD_LIMITS.help).optional().describe('A sentence below the field'),
  min: z.number().optional().describe('The smallest allowed number'),
  max: z.number().optional().describe('The largest allowed number'),
  unit: z.string().max(FIELD_LIMITS.unit).optional().describe('The unit of a number, for example EUR'),
});

/** The form of a manual step. A problem of the whole form is reported at the field that causes it. */
const inputFields = z
  .array(inputField)
  .max(fields.limit)
  .superRefine((given, context) => {
    for (const { index, problem } of checkFieldList(given as InputField[])) {
      context.addIssue({ code: 'custom', path: [index], message: problem });
    }
  });

/** A step without a type is manual. */
export const manual = z.strictObject({
  ...commonFields,
  type: z
    .literal('manual')
    .optional()
    .transform((): 'manual' => 'manual'),
  config: z
    .strictObject({
      assignedRole: z
        .string()
        .trim()
        .max(assignedRole.limit)
        .optional()
        .describe('People with this role may act, as well as the assignee'),
      requiresApproval: z.boolean().optional().describe('A second person must approve the input'),
      fields: inputFields.optional().describe('The form that a person fills out'),
      skip,
    })
    .default({}),
});
