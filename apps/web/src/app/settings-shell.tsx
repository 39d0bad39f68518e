import { Bell, Blocks, Building2, CircleUserRound, KeyRound, UserCheck, Users, Webhook } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import { ProofNote } from '../features/proof/parts/proof-note.tsx';
import { paths } from '../lib/paths.ts';
import { useIsWithheld } from '../lib/session/signed-in.ts';
import { Icon } from '../ui/icon.tsx';
import './settings-shell.css';

/** The settings in their order; the user menu has the same. */
export const SETTINGS = [
  { label: 'Profile', to: paths.profile, icon: CircleUserRound },
  { label: 'Notifications', to: paths.notificationSettings, icon: Bell },
  { label: 'Organization', to: paths.organization, icon: Building2 },
  { label: 'Members', to: paths.members, icon: Users },
  { label: 'Confirmations', to: paths.confirmations, icon: UserCheck },
  { label: 'API tokens', to: paths.apiTokens, icon: KeyRound },
  { label: 'Webhooks', to: paths.webhooks, icon: Webhook },
  { label: 'Integrations', to: paths.integrations, icon: Blocks },
] as const;

/** The frame of `/app/settings/*` and the integrations: its own navigation beside the screen, above it on a phone. */
export function SettingsShell() {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const isWithheld = useIsWithheld('org.manage');
  // On a phone the links are a line longer than the screen: the one that one is on is in sight.
  useLayoutEffect(() => {
    const current = nav.current?.querySelector('[aria-current]');
    if (!nav.current || !current) return;
    const line = nav.current.getBoundingClientRect();
    const link = current.getBoundingClientRect();
    nav.current.scrollLeft += link.left + link.width / 2 - (line.left + line.width / 2);
  }, [pathname]);
  return (
    <div className="page">
      <div className="centred settings">
        <nav className="settings-nav" ref={nav} aria-label="Settings">
          {SETTINGS.map(({ label, to, icon }) => (
            <NavLink key={to} to={to}>
              <Icon of={icon} size="s" />
              {label}
            </NavLink>
          ))}
        </nav>
        <div className="settings-screen">
          {isWithheld && pathname !== paths.profile && (
            <ProofNote>You can manage this organization once your address is proved.</ProofNote>
          )}
          <Outlet />
        </div>
      </div>
    </div>
  );
}
