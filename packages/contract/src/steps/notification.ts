import { NOTIFICATION_CHANNELS, STEP_KINDS } from '@stet/domain/steps';
import { z } from 'zod';
import { commonFields, skip } from './common.ts';

const { recipients, template, channels } = STEP_KINDS.notification.settings;

export const notification = z.strictObject({
  ...commonFields,
  type: z.literal('notification'),
  config: z
    .strictObject({
      recipients: z.array(z.string().trim().max(recipients.entryLimit)).max(recipients.limit).optional(),
      template: z
        .string()
        .max(template.limit)
        .optional()
        .describe('May contain {{run.name}}, {{step.title}}, {{output.<step id>}}'),
      channels: z.array(z.enum(NOTIFICATION_CHANNELS)).max(channels.limit).optional(),
      skip,
    })
    .default({}),
});

/** `undeliverable` lists the recipients that couldn't be reached. */
export const notificationReport = z.object({
  kind: z.literal('notification'),
  undeliverable: z.array(z.string()),
});
