import { namesFor, sampleNames } from '@stet/domain/expressions';
import { NOTIFICATION_CHANNELS, STEP_KINDS, type NotificationChannel, type NotificationStep } from '@stet/domain/steps';
import { renderTemplate, stepTitle } from '@stet/domain/workflows';
import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Field, FieldError, FieldGroup, Textarea } from '../../ui/field.tsx';
import { linesOf } from '../settings/lines-of.ts';
import { inMessage, unknownPlaceholder } from '../settings/name-texts.ts';
import { recipientsProblem } from './recipients.ts';
import { withSetting } from '../settings/with-setting.ts';
import type { SettingsProps } from '../settings/settings-props.ts';
import { CheckField } from '../settings/check-field.tsx';
import { NameField } from '../settings/name-field.tsx';
import styles from '../settings/step-settings.module.css';

const CHANNEL_WORDS = { email: 'Email', slack: 'Slack', 'in-app': 'In the app' } as const satisfies Record<
  NotificationChannel,
  string
>;

export function NotificationSettings({ step, steps, readOnly, onChange }: SettingsProps<NotificationStep>) {
  const { config } = step;
  const change = (next: NotificationStep['config']) => onChange({ ...step, config: next });
  const channels: readonly NotificationChannel[] = config.channels ?? STEP_KINDS.notification.defaults.config.channels;
  const [recipients, setRecipients] = useState((config.recipients ?? []).join('\n'));
  return (
    <>
      <Field
        label="Recipients, one per line"
        error={recipientsProblem(linesOf(recipients))}
        hint="Email addresses or roles (everyone with that role)."
      >
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            value={recipients}
            onChange={(event) => {
              setRecipients(event.target.value);
              const lines = linesOf(event.target.value);
              change(withSetting(config, 'recipients', lines.length > 0 ? lines : undefined));
            }}
          />
        )}
      </Field>
      <TemplateField
        step={step}
        steps={steps}
        readOnly={readOnly}
        onChange={(template) => change(withSetting(config, 'template', template || undefined))}
      />
      <FieldGroup label="Channels">
        <div className={styles.stepChecks}>
          {NOTIFICATION_CHANNELS.map((channel) => (
            <CheckField
              key={channel}
              label={CHANNEL_WORDS[channel]}
              checked={channels.includes(channel)}
              onChange={(checked) =>
                change({
                  ...config,
                  channels: NOTIFICATION_CHANNELS.filter((each) =>
                    each === channel ? checked : channels.includes(each),
                  ),
                })
              }
            />
          ))}
        </div>
        {channels.length === 0 && <FieldError hasIcon={false}>Without a channel, nobody is notified.</FieldError>}
      </FieldGroup>
    </>
  );
}

type TemplateFieldProps = Pick<SettingsProps<NotificationStep>, 'step' | 'steps' | 'readOnly'> & {
  onChange: (template: string) => void;
};

function TemplateField({ step, steps, readOnly, onChange }: TemplateFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const template = step.config.template ?? '';
  const names = useMemo(() => namesFor(steps, step.id), [steps, step.id]);
  const known = useMemo(() => sampleNames(steps, step.id), [steps, step.id]);
  const unknown = unknownPlaceholder(template, known);
  const preview = renderTemplate(template, { ...known, step: { ...step, title: stepTitle(step) } });
  const insert = (text: string) => {
    const { selectionStart = template.length, selectionEnd = template.length } = field.current ?? {};
    flushSync(() => onChange(template.slice(0, selectionStart) + text + template.slice(selectionEnd)));
    field.current?.focus();
    field.current?.setSelectionRange(selectionStart + text.length, selectionStart + text.length);
  };
  return (
    <>
      <div className={styles.withTools}>
        <Field
          label="Message"
          error={
            unknown ? `This step can’t use {{${unknown}}}. Check the spelling, or choose under ‘Insert a value’` : null
          }
          hint="{{run.name}}, {{step.title}} and {{output.…}} are replaced with their values."
        >
          {(control) => (
            <Textarea
              {...control}
              ref={field}
              rows={4}
              maxLength={20_000}
              value={template}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </Field>
        {!readOnly && (
          <div className={styles.tools}>
            <NameField
              label="Insert a value"
              placeholder="Insert a value"
              names={names}
              steps={steps}
              onPick={(name) => insert(inMessage(name))}
            />
          </div>
        )}
      </div>
      <FieldGroup label="Preview">
        <div className={styles.preview} role="status" aria-label="Preview of the message">
          {preview}
        </div>
      </FieldGroup>
    </>
  );
}
