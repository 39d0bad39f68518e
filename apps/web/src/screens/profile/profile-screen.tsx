import { isFirstHand } from '@stet/domain/access';
import type { Proof } from '@stet/domain/access';
import { SingleKeysSwitch } from '../../features/commands/components/single-keys-switch.tsx';
import { NameForm } from '../../features/profile/components/name-form.tsx';
import { PasswordForm } from '../../features/profile/components/password-form.tsx';
import { SessionList } from '../../features/profile/components/session-list.tsx';
import { ProveAddressButton } from '../../features/proof/components/proof-note.tsx';
import { proofWords } from '../../lib/format/proof-words.ts';
import { useUser } from '../../lib/session/signed-in.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { pickColorScheme, useColorScheme } from '../../ui/theme/color-scheme.ts';
import type { ColorScheme } from '../../ui/theme/color-scheme.ts';

const SCHEMES: readonly { value: ColorScheme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** `/app/settings/profile`: name, address, theme, keyboard, password and sessions. */
export function ProfileScreen() {
  const scheme = useColorScheme();
  return (
    <>
      <PageTitle>Profile</PageTitle>
      <div className="head">
        <div>
          <h1 className="title">Profile</h1>
          <p className="sub">Your name, sign-in and preferences</p>
        </div>
      </div>
      <NameForm />
      <AddressPart />
      <section className="settings-part" aria-labelledby="theme">
        <h2 className="title-sm" id="theme">
          Theme
        </h2>
        <p className="about">Saved in this browser. System follows your device’s setting.</p>
        <div>
          <SegmentedControl label="Theme" value={scheme} options={SCHEMES} onChange={pickColorScheme} />
        </div>
      </section>
      <section className="settings-part" aria-labelledby="keyboard">
        <h2 className="title-sm" id="keyboard">
          Keyboard
        </h2>
        <p className="about">
          Saved in this browser. To see all shortcuts, choose Keyboard shortcuts in the menu under your name.
        </p>
        <SingleKeysSwitch />
      </section>
      <section className="settings-part" aria-labelledby="password">
        <h2 className="title-sm" id="password">
          Password
        </h2>
        <p className="about">
          Changing it signs you out on all other devices. API tokens keep working unless you also revoke them.
        </p>
        <PasswordForm />
      </section>
      <section className="settings-part" aria-labelledby="sessions">
        <h2 className="title-sm" id="sessions">
          Sessions
        </h2>
        <p className="about">Where you are signed in. Sessions end automatically after 12 hours.</p>
        <SessionList />
      </section>
    </>
  );
}

/**
 * How the account is proved. People whose account isn't proved, or only in this organization, can prove their address
 * here.
 */
function AddressPart() {
  const { provedBy } = useUser();
  return (
    <section className="settings-part" aria-labelledby="address">
      <h2 className="title-sm" id="address">
        Address
      </h2>
      <p className="about">
        {proofWords(provedBy)}. {aboutProof(provedBy)}
      </p>
      {!isFirstHand(provedBy) && (
        <div>
          <ProveAddressButton />
        </div>
      )}
    </section>
  );
}

function aboutProof(proof: Proof | null): string {
  switch (proof) {
    case 'manager':
      return 'This proof is only valid in this organization. Prove your address yourself to make it valid everywhere.';
    case 'founder':
      return 'In this organization, you need a proof only for strict reviews and for changes that need a second manager. Organizations that you didn’t found require one.';
    case null:
      return 'Until it is proved, your actions also count as those of the person who invited you.';
    default:
      return 'Your actions count only as your own.';
  }
}
