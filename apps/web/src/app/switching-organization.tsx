import { isolated } from '@stet/domain/workflows';
import type { User } from '@stet/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { switchOrganization } from '../features/organizations/api/switch-organization.ts';
import { errorSentence } from '../lib/api/api-error.ts';
import { paths } from '../lib/paths.ts';
import { ME_KEY } from '../lib/session/use-me.ts';
import { LoadingLine } from '../ui/spinner.tsx';
import { AfterPatience } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { switchFailure } from './organization-request.ts';

type SwitchingOrganizationProps = { to: string; user: User; onSwitched: (organizationId: string | null) => void };

/** Replaces the app while the server selects the organization. If that fails, the editor opens with the error. */
export function SwitchingOrganization({ to, user, onSwitched }: SwitchingOrganizationProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const asked = useRef(false);
  const begin = useEffectEvent(async () => {
    if (to === user.currentOrgId) return navigate(paths.editor(), { replace: true, state: null });
    try {
      // Responses for the previous organization must not arrive after the switch.
      await queryClient.cancelQueries();
      const switched = await switchOrganization(to);
      queryClient.setQueryData(ME_KEY, switched);
      onSwitched(switched.currentOrgId);
    } catch (error) {
      const sentence = errorSentence(error, 'Please try again.');
      await navigate(paths.editor(), { replace: true, state: switchFailure(sentence) });
    }
  });
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void begin();
  }, []);
  const name = user.organizations.find(({ id }) => id === to)?.name;
  return (
    <AfterPatience label="Switching organization">
      <LoadingLine>{name ? `Switching to ${isolated(name)}…` : 'Switching organization…'}</LoadingLine>
    </AfterPatience>
  );
}

type LeaveOrganizationBehindProps = {
  /** Whether the current user is already in the new organization. */
  ready: boolean;
  onDone: () => void;
};

/**
 * While nothing is shown, clears the cache except for the current user, and opens the editor's start page. Calls
 * `onDone` once the address has changed and the current user is in the new organization.
 */
export function LeaveOrganizationBehind({ ready, onDone }: LeaveOrganizationBehindProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { key } = useLocation();
  const from = useRef(key);
  useEffect(() => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME_KEY[0] });
    queryClient.getMutationCache().clear();
    toast.clear();
    void navigate(paths.editor(), { replace: true, state: null });
  }, [queryClient, navigate]);
  const done = useEffectEvent(onDone);
  useEffect(() => {
    if (ready && key !== from.current) done();
  }, [ready, key]);
  return null;
}
