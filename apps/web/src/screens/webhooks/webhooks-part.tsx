import { isolated } from '@stet/domain/workflows';
import type { Webhook } from '@stet/contract';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { ACTION_GROUPS, ACTION_WORDS, actionWords } from '../../features/audit/model/action-words.ts';
import {
  useAddWebhook,
  useChangeWebhook,
  useRemoveWebhook,
  useRotateSecret,
  useTestWebhook,
  useWebhooks,
} from '../../features/webhooks/api/use-webhooks.ts';
import { WebhookList, type WebhookWish } from '../../features/webhooks/components/webhook-list.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { copyText } from '../../lib/copy-text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx';
import { Note } from '../../ui/note.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const WebhookDialog = lazyDialog(
  async () => (await import('../../features/webhooks/components/webhook-dialog.tsx')).WebhookDialog,
);
type Dialog =
  | { open: 'none' }
  | { open: 'form'; webhook: Webhook | null }
  | { open: 'rotate' | 'remove'; webhook: Webhook }
  | { open: 'secret'; secret: string };
const NO_DIALOG: Dialog = { open: 'none' };

/** The webhooks with their actions. */
export function WebhooksPart() {
  const webhooks = useWebhooks();
  const add = useAddWebhook();
  const change = useChangeWebhook();
  const remove = useRemoveWebhook();
  const rotate = useRotateSecret();
  const test = useTestWebhook();
  const [dialog, setDialog] = useState<Dialog>(NO_DIALOG);
  const close = () => setDialog(NO_DIALOG);
  const openForm = (webhook: Webhook | null) => {
    change.reset();
    setDialog({ open: 'form', webhook });
  };
  const showSecret = ({ secret }: { secret: string }) => setDialog({ open: 'secret', secret });
  const grant = (webhook: Webhook, wish: WebhookWish) => {
    const { id, name, isActive } = webhook;
    switch (wish) {
      case 'change':
        return openForm(webhook);
      case 'pause':
        return change.mutate(
          { id, change: { isActive: !isActive } },
          { onSuccess: () => toast.ok(isActive ? 'Webhook paused' : 'Webhook resumed', name) },
        );
      case 'test':
        return test.mutate(id, { onSuccess: () => toast.ok('Test event queued', 'See Deliveries for the result.') });
      case 'rotate':
      case 'remove':
        rotate.reset();
        remove.reset();
        return setDialog({ open: wish, webhook });
    }
  };
  const failed = dialog.open === 'none' ? (test.error ?? change.error) : null;
  return (
    <>
      <div className="head">
        <div>
          <h1 className="title">Webhooks</h1>
          <p className="sub">Send audit events to other systems</p>
        </div>
        <div className="actions">
          <Button tone="primary" icon={Plus} onClick={() => openForm(null)}>
            New webhook
          </Button>
        </div>
      </div>
      {failed && <Note tone="bad">{errorSentence(failed, 'The action failed')}</Note>}
      {webhooks.isPending ? (
        <div className="sheet">
          <SkeletonRows rows={2} label="Loading webhooks" />
        </div>
      ) : !webhooks.data ? (
        <ErrorState title="Error loading webhooks" onRetry={() => void webhooks.refetch()}>
          {errorSentence(webhooks.error, 'Failed to load the webhooks')}
        </ErrorState>
      ) : webhooks.data.length === 0 ? (
        <EmptyState icon={WebhookIcon} title="No webhooks">
          A webhook sends signed events to another program as they happen.
        </EmptyState>
      ) : (
        <WebhookList webhooks={webhooks.data} wordsOf={(action) => actionWords(action, null)} onWish={grant} />
      )}
      {dialog.open === 'form' && (
        <WebhookDialog
          webhook={dialog.webhook}
          groups={ACTION_GROUPS}
          wordsOf={(action) => ACTION_WORDS[action]}
          onSave={async (form) => {
            if (dialog.webhook === null) return showSecret(await add.mutateAsync(form));
            await change.mutateAsync({ id: dialog.webhook.id, change: form });
            close();
          }}
          onClose={close}
        />
      )}
      {dialog.open === 'rotate' && (
        <ConfirmDialog
          open
          title="Create a new signing secret?"
          confirmLabel="Create a new secret"
          busy={rotate.isPending && 'Creating…'}
          error={rotate.isError ? errorSentence(rotate.error, 'Failed to create a new secret') : null}
          onConfirm={() => !rotate.isPending && rotate.mutate(dialog.webhook.id, { onSuccess: showSecret })}
          onCancel={close}
        >
          For one day, events sent to {isolated(dialog.webhook.name)} are signed with both secrets. After that, the old
          one is no longer valid.
        </ConfirmDialog>
      )}
      {dialog.open === 'remove' && (
        <ConfirmDialog
          open
          danger
          title="Remove this webhook?"
          confirmLabel="Remove"
          busy={remove.isPending && 'Removing…'}
          error={remove.isError ? errorSentence(remove.error, 'Failed to remove the webhook') : null}
          onConfirm={() =>
            !remove.isPending &&
            remove.mutate(dialog.webhook.id, {
              onSuccess: () => {
                toast.ok('Webhook removed', dialog.webhook.name);
                close();
              },
            })
          }
          onCancel={close}
        >
          Pending events for {isolated(dialog.webhook.name)} won’t be sent, and its log will be deleted.
        </ConfirmDialog>
      )}
      {dialog.open === 'secret' && (
        <SecretDialog title="Signing secret" label="Secret" secret={dialog.secret} onCopy={copyText} onClose={close} />
      )}
    </>
  );
}
