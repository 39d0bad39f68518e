import { isolated } from '@stet/domain/workflows';
import { ChevronsUpDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '../lib/paths.ts';
import { useOrganization, useSignedIn } from '../lib/session/signed-in.ts';
import type { Organization } from '../lib/session/signed-in.ts';
import { hasUnsavedWork } from '../lib/unsaved-work.ts';
import { Pressable } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { lazyDialog } from '../ui/lazy-dialog.tsx';
import { Menu } from '../ui/menu.tsx';
import { NEW_ORGANIZATION_REQUEST, isNewOrganizationRequest, switchRequest } from './organization-request.ts';
import styles from './shell.module.css';

// Loaded on demand, because people rarely create a team.
const NewOrganizationDialog = lazyDialog(
  async () => (await import('../features/organizations/components/new-organization-dialog.tsx')).NewOrganizationDialog,
);

const nameOf = ({ type, name }: Organization): string => (type === 'individual' ? 'Personal account' : name);

/**
 * The organization's name. If another organization has the same name, it is followed by the URL prefix or, without one,
 * the start of the id.
 */
function labelOf(organization: Organization, all: readonly Organization[]): string {
  const name = nameOf(organization);
  const isAmbiguous = all.some((other) => other.id !== organization.id && nameOf(other) === name);
  return isAmbiguous ? `${isolated(name)} (${organization.slug ?? organization.id.slice(0, 8)})` : name;
}

/** The selected organization, with a menu to switch to another one or create one. */
export function OrganizationSwitcher() {
  const { user, source } = useSignedIn();
  const selected = useOrganization();
  const navigate = useNavigate();
  const location = useLocation();
  const [creating, setCreating] = useState(false);
  // Until the server responds, only the token's data is known, which doesn't include the organization.
  if (source === 'token') return null;
  const pick = (organization: Organization) => {
    if (organization.id !== user.currentOrgId) {
      void navigate(paths.editor(), { state: switchRequest(organization.id) });
    }
  };
  const startNew = () => {
    if (hasUnsavedWork()) void navigate(paths.editor(), { state: NEW_ORGANIZATION_REQUEST });
    else setCreating(true);
  };
  const isAsked = isNewOrganizationRequest(location.state);
  const endNew = () => {
    setCreating(false);
    if (isAsked) void navigate(location, { replace: true, state: null });
  };
  const organizations = user.organizations.map((organization) => ({
    label: labelOf(organization, user.organizations),
    checked: organization.id === user.currentOrgId,
    onPick: () => pick(organization),
  }));
  return (
    <>
      <Menu
        target={<OrganizationButton selected={selected} />}
        groups={[
          ...(organizations.length > 0 ? [{ label: 'Organization', entries: organizations }] : []),
          { entries: [{ label: 'New organization', icon: Plus, onPick: startNew }] },
        ]}
      />
      {(creating || isAsked) && <NewOrganizationDialog onClose={endNew} />}
    </>
  );
}

type OrganizationButtonProps = React.ComponentProps<'button'> & { selected: Organization | null };

function OrganizationButton({ selected, ...rest }: OrganizationButtonProps) {
  const name = selected ? nameOf(selected) : 'No organization';
  return (
    <Pressable {...rest} className={styles.org} aria-label={`Organization: ${name}`} title={name}>
      {selected?.type === 'team' && (
        <span className={styles.sq} data-initial={selected.name.at(0)?.toUpperCase()} aria-hidden="true" />
      )}
      <span className="trunc">{name}</span>
      <Icon of={ChevronsUpDown} size="s" />
    </Pressable>
  );
}
