import { isolated } from '@stet/domain/workflows';
import type { Webhook } from '@stet/contract';
import type { AuditAction } from '@stet/domain/audit';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckGroup, CheckRow } from '../../../ui/check-row.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { webhookSchema } from '../api/use-webhooks.ts';
import type { WebhookForm } from '../api/use-webhooks.ts';
import styles from './webhook-dialog.module.css';

type EventGroup = { label: string; actions: readonly AuditAction[] };

type WebhookDialogProps = {
  /** The webhook to change, or null for a new one. */
  webhook: Webhook | null;
  groups: readonly EventGroup[];
  wordsOf: (action: AuditAction) => string;
  onSave: (form: WebhookForm) => Promise<void>;
  onClose: () => void;
};

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The dialog for a webhook's name, URL and events. It opens when it is mounted. */
export function WebhookDialog({ webhook, groups, wordsOf, onSave, onClose }: WebhookDialogProps) {
  const form = useContractForm({
    schema: webhookSchema,
    initial: {
      name: webhook?.name ?? '',
      url: webhook?.url ?? '',
      isAll: webhook === null || webhook.actions.length === 0,
      actions: webhook?.actions ?? [],
    },
    body: ({ name, url, isAll, actions }) => ({
      name: name.trim(),
      url: url.trim(),
      actions: isAll ? [] : groups.flatMap((group) => group.actions).filter((action) => actions.includes(action)),
    }),
    // The contract treats an empty list as every event.
    rules: ({ isAll, actions }) => (isAll || actions.length > 0 ? {} : { actions: 'Choose at least one event' }),
    failed: 'Failed to save the webhook',
    send: onSave,
  });
  const { isAll } = form.values;
  const chosen = new Set(form.values.actions);
  const tick = (actions: readonly AuditAction[]) => (isChosen: boolean) => {
    const next = new Set(chosen);
    for (const action of actions) {
      if (isChosen) next.add(action);
      else next.delete(action);
    }
    form.change({ actions: [...next] });
  };
  return (
    <Modal
      open
      wide
      title={webhook ? `Change ${isolated(webhook.name)}` : 'New webhook'}
      onClose={onClose}
      onSubmit={form.submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={form.isSending && 'Saving…'}>
            {webhook ? 'Save' : 'Add webhook'}
          </Button>
        </>
      }
    >
      <TextField {...form.field('name')} label="Name" autoComplete="off" data-autofocus maxLength={80} />
      <TextField
        {...form.field('url')}
        label="Address"
        type="url"
        autoComplete="off"
        placeholder="https://"
        hint="An https:// address on the public internet"
      />
      <CheckRow
        checked={isAll}
        onChange={(every) => form.change({ isAll: every })}
        about="All audit events, including types added later"
      >
        Send all events
      </CheckRow>
      {!isAll && (
        <div className={styles.webhookEvents}>
          {groups.map(({ label, actions }, n) => (
            <CheckGroup key={label} label={label} error={n === 0 ? form.field('actions').error : undefined}>
              <CheckRow checked={actions.every((action) => chosen.has(action))} onChange={tick(actions)}>
                Select all
              </CheckRow>
              <div className={styles.which}>
                {actions.map((action) => (
                  <CheckRow key={action} checked={chosen.has(action)} onChange={tick([action])}>
                    {sentenceCase(wordsOf(action))}
                  </CheckRow>
                ))}
              </div>
            </CheckGroup>
          ))}
        </div>
      )}
      {form.problem && <Note tone="bad">{form.problem}</Note>}
    </Modal>
  );
}
