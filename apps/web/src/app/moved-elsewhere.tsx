import { isolated } from '@stet/domain/workflows';
import type { User } from '@stet/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { switchOrganization } from '../features/organizations/api/switch-organization.ts';
import { errorSentence } from '../lib/api/api-error.ts';
import { ME_KEY } from '../lib/session/use-me.ts';
import { hasUnsavedWork } from '../lib/unsaved-work.ts';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { Note } from '../ui/note.tsx';

function nameIn({ organizations }: User, id: string | null): string {
  const organization = organizations.find((each) => each.id === id);
  if (!organization) return 'no organization';
  return organization.type === 'individual' ? 'your personal account' : organization.name;
}

type MovedElsewhereProps = { from: User; to: User; onLeave: () => void };

/**
 * Shown if a different organization was selected outside this tab. Without unsaved changes, the tab follows
 * immediately. Otherwise it asks first, because the changes can only be saved in the organization they were made in.
 */
export function MovedElsewhere({ from, to, onLeave }: MovedElsewhereProps) {
  const [asking] = useState(hasUnsavedWork);
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    if (!asking) leave();
  }, [asking]);
  const queryClient = useQueryClient();
  const goBack = useMutation({
    mutationFn: switchOrganization,
    onSuccess: (user) => queryClient.setQueryData(ME_KEY, user),
  });
  if (!asking) return null;

  const former = nameIn(from, from.currentOrgId);
  const backTo = to.organizations.some(({ id }) => id === from.currentOrgId) ? from.currentOrgId : null;
  const stay = () => backTo !== null && !goBack.isPending && goBack.mutate(backTo);
  return (
    <Modal
      open
      title="Unsaved Changes"
      withCloseButton={false}
      onClose={stay}
      footer={
        <>
          {backTo !== null && (
            <Button data-autofocus busy={goBack.isPending && 'Going back…'} onClick={stay}>
              Go back to {former}
            </Button>
          )}
          <Button tone="danger" onClick={onLeave}>
            Discard changes
          </Button>
        </>
      }
    >
      <p className="md two">
        {backTo === null
          ? `You can no longer work in ${isolated(former)}, so the unsaved changes on this page can’t be saved.`
          : `You switched to ${isolated(nameIn(to, to.currentOrgId))} in another tab or on another device. This page has unsaved changes that can only be saved in ${isolated(former)}.`}
      </p>
      {goBack.isError && <Note tone="bad">{errorSentence(goBack.error, 'Failed to switch back')}</Note>}
    </Modal>
  );
}
