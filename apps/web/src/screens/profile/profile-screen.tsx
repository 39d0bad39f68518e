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

/** `/app/settings/profile`: name, theme, password, sessions. */
export function ProfileScreen() {
  const scheme = useColorScheme();
  return (
    <>
      <PageTitle>Profile</PageTitle>
      <div className="head">
        <div>
          <h1 className="title">Profile</h1>
          <p className="sub">How others see you, and how you get in</p>
        </div>
      </div>
      <NameForm />
      <AddressPart />
      <section className="settings-part" aria-labelledby="theme">
        <h2 className="title-sm" id="theme">
          Theme
        </h2>
        <p className="about">In this browser. System follows what your computer or phone is set to.</p>
        <div>
          <SegmentedControl label="Theme" value={scheme} options={SCHEMES} onChange={pickColorScheme} />
        </div>
      </section>
      <section className="settings-part" aria-labelledby="keyboard">
        <h2 className="title-sm" id="keyboard">
          Keyboard
        </h2>
        <p className="about">In this browser. The list of all shortcuts is in the menu under your name.</p>
        <SingleKeysSwitch />
      </section>
      <section className="settings-part" aria-labelledby="password">
        <h2 className="title-sm" id="password">
          Password
        </h2>
        <p className="about">
          You’ll be signed out on all other devices. API tokens keep working unless you revoke them, too.
        </p>
        <PasswordForm />
      </section>
      <section className="settings-part" aria-labelledby="sessions">
        <h2 className="title-sm" id="sessions">
          Sessions
        </h2>
        <p className="about">Where you are signed in. A session ends by itself after 12 hours.</p>
        <SessionList />
      </section>
    </>
  );
}

/** How the account is proved; anyone who isn't proved first hand can prove their address. */
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
      return 'This holds in this organization only; with a proof of your own it holds everywhere.';
    case 'founder':
      return 'You need no proof here. Strict reviews and other organizations ask for one.';
    case null:
      return 'Until it is proved, what you do also counts as done by whoever invited you.';
    default:
      return 'What you do counts as yours alone.';
  }
}
