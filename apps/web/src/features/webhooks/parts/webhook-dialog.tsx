import { isolated } from '@stet/domain/workflows';
import type { Webhook } from '@stet/contract';
import type { AuditAction } from '@stet/domain/audit';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckGroup, CheckRow } from '../../../ui/check-row.tsx';
import { TextField } from '../../../ui/field.tsx';
import { focusFirstBad } from '../../../ui/focus-first-bad.ts';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import type { WebhookForm } from '../api/use-webhooks.ts';
import './webhook-dialog.css';

type EventGroup = { label: string; actions: readonly AuditAction[] };

type WebhookDialogProps = {
  /** The one to change; null for a new one. */
  webhook: Webhook | null;
  groups: readonly EventGroup[];
  wordsOf: (action: AuditAction) => string;
  saving: { isPending: boolean; error: unknown };
  onSave: (form: WebhookForm) => void;
  onClose: () => void;
};

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Asks where events go to, and which. Mount it to open it. */
export function WebhookDialog({ webhook, groups, wordsOf, saving, onSave, onClose }: WebhookDialogProps) {
  const [name, setName] = useState(webhook?.name ?? '');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [isAll, setIsAll] = useState(webhook === null || webhook.actions.length === 0);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(webhook?.actions));
  const [tried, setTried] = useState(false);
  const hasNone = !isAll && chosen.size === 0;
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === '' || url.trim() === '') return focusFirstBad(event.currentTarget);
    if (hasNone || saving.isPending) return;
    const actions = groups.flatMap((group) => group.actions).filter((action) => chosen.has(action));
    onSave({ name: name.trim(), url: url.trim(), actions: isAll ? [] : actions });
  };
  const tick = (actions: readonly AuditAction[]) => (isChosen: boolean) => {
    const next = new Set(chosen);
    for (const action of actions) {
      if (isChosen) next.add(action);
      else next.delete(action);
    }
    setChosen(next);
  };
  return (
    <Modal
      open
      wide
      title={webhook ? `Change ${isolated(webhook.name)}` : 'New webhook'}
      onClose={onClose}
      onSubmit={save}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={saving.isPending && 'Saving…'}>
            {webhook ? 'Save' : 'Add webhook'}
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        data-autofocus
        maxLength={80}
        value={name}
        error={tried && name.trim() === '' ? 'A webhook needs a name' : null}
        onChange={setName}
      />
      <TextField
        label="Address"
        name="url"
        type="url"
        autoComplete="off"
        placeholder="https://"
        value={url}
        hint="An https:// address on the public internet"
        error={tried && url.trim() === '' ? 'Where should it be sent to?' : null}
        onChange={setUrl}
      />
      <CheckRow
        checked={isAll}
        onChange={setIsAll}
        about="Whatever the audit trail records, also what later versions add"
      >
        Send every event
      </CheckRow>
      {!isAll && (
        <div className="webhook-events">
          {groups.map(({ label, actions }) => (
            <CheckGroup key={label} label={label}>
              <CheckRow checked={actions.every((action) => chosen.has(action))} onChange={tick(actions)}>
                All of these
              </CheckRow>
              <div className="which">
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
      {tried && hasNone && <Note tone="bad">Choose at least one event</Note>}
      {saving.error !== null && <Note tone="bad">{errorSentence(saving.error, 'Failed to save the webhook')}</Note>}
    </Modal>
  );
}
