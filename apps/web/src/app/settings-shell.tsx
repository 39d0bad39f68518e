import { Server } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import { ProofNote } from '../features/proof/components/proof-note.tsx';
import { paths } from '../lib/paths.ts';
import { useCan, useIsWithheld, useUser } from '../lib/session/signed-in.ts';
import { Icon } from '../ui/icon.tsx';
import { SETTINGS } from './navigation.ts';
import styles from './settings-shell.module.css';
import { useQuery } from '@tanstack/react-query';
import { api } from '../lib/api/api.ts';

/** The frame of `/app/settings/*` and the integrations. Its navigation is beside the page, or above it on phones. */
export function SettingsShell() {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const { isInstallationAdmin } = useUser();
  const isManager = useCan('org.manage');
  const isWithheld = useIsWithheld('org.manage');
  // On phones the links overflow, so scroll the current one into view.
  useLayoutEffect(() => {
    const current = nav.current?.querySelector('[aria-current]');
    if (!nav.current || !current) return;
    const line = nav.current.getBoundingClientRect();
    const link = current.getBoundingClientRect();
    nav.current.scrollLeft += link.left + link.width / 2 - (line.left + line.width / 2);
  }, [pathname]);
  return (
    <div className="page">
      <div className={styles.settings}>
        <nav className={styles.settingsNav} ref={nav} aria-label="Settings">
          {SETTINGS.map(({ label, to, icon }) => (
            <NavLink key={to} to={to}>
              <Icon of={icon} size="s" />
              {label}
            </NavLink>
          ))}
          {isInstallationAdmin && (
            <NavLink to={paths.installation}>
              <Icon of={Server} size="s" />
              Installation
            </NavLink>
          )}
        </nav>
        <div className={styles.settingsScreen}>
          {isWithheld && pathname !== paths.profile && (
            <ProofNote>You can manage this organization once your address is proved.</ProofNote>
          )}
          <Outlet />
        </div>
      </div>
      {isManager && <VersionLine />}
    </div>
  );
}

/** The server's version at the foot of the settings, for support requests. */
function VersionLine() {
  const { data } = useQuery({ queryKey: ['version'], queryFn: ({ signal }) => api('GET /api/version', { signal }) });
  return (
    <footer className={styles.version}>
      {data && `Stet ${data.version}${data.commit === null ? '' : ` · commit ${data.commit}`} · schema ${data.schema}`}
    </footer>
  );
}
