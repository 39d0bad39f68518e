import { isolated } from '@stet/domain/workflows';
import { ChevronsUpDown, Plus } from 'lucide-react';
import { Suspense, lazy, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '../lib/paths.ts';
import { useOrganization, useSignedIn } from '../lib/session/signed-in.ts';
import type { Organization } from '../lib/session/signed-in.ts';
import { hasUnsavedWork } from '../lib/unsaved-work.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { NEW_ORGANIZATION_REQUEST, isNewOrganizationRequest, switchRequest } from './organization-request.ts';

// Founding a team is rare; what it takes isn't part of every first load.
const NewOrganizationDialog = lazy(async () => ({
  default: (await import('../features/organizations/parts/new-organization-dialog.tsx')).NewOrganizationDialog,
}));

const nameOf = ({ type, name }: Organization): string => (type === 'individual' ? 'Personal account' : name);

/** Two organizations of one name are told apart by their URL prefix. */
function labelOf(organization: Organization, all: readonly Organization[]): string {
  const name = nameOf(organization);
  const isAmbiguous = all.some((other) => other.id !== organization.id && nameOf(other) === name);
  return isAmbiguous ? `${isolated(name)} (${organization.slug ?? organization.id.slice(0, 8)})` : name;
}

/** The selected organization; behind it the others, and a new one (rulings, section 3). */
export function OrganizationSwitcher() {
  const { user, source } = useSignedIn();
  const selected = useOrganization();
  const navigate = useNavigate();
  const location = useLocation();
  const [creating, setCreating] = useState(false);
  // While only the token speaks, nobody knows the organizations.
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
      <Suspense>{(creating || isAsked) && <NewOrganizationDialog onClose={endNew} />}</Suspense>
    </>
  );
}

type OrganizationButtonProps = React.ComponentProps<'button'> & { selected: Organization | null };

function OrganizationButton({ selected, ...rest }: OrganizationButtonProps) {
  const name = selected ? nameOf(selected) : 'No organization';
  return (
    <button {...rest} type="button" className="org" aria-label={`Organization: ${name}`} title={name}>
      {selected?.type === 'team' && (
        <span className="sq" aria-hidden="true">
          {selected.name.at(0)?.toUpperCase()}
        </span>
      )}
      <span className="trunc">{name}</span>
      <Icon of={ChevronsUpDown} size="s" />
    </button>
  );
}
