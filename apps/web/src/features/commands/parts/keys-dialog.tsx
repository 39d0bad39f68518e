import { Modal } from '../../../ui/modal.tsx';
import { type KeyLine, keyGroups } from '../model/key-list.ts';
import { Keys } from './keys.tsx';
import { SingleKeysSwitch } from './single-keys-switch.tsx';
import './keys-dialog.css';

type KeysDialogProps = {
  everywhere: readonly KeyLine[];
  at: { pathname: string; search: string };
  onClose: () => void;
};

/** The keys of every screen, those of this one first, and the switch of those that are a letter alone. */
export function KeysDialog({ everywhere, at, onClose }: KeysDialogProps) {
  return (
    <Modal open wide title="Keyboard shortcuts" onClose={onClose}>
      <SingleKeysSwitch />
      <div className="key-groups">
        {keyGroups(everywhere, at).map(({ title, lines }) => (
          <section key={title}>
            <h3 className="key-title">{title}</h3>
            <dl className="key-lines">
              {lines.map(({ keys, inTurn = false, or, does }) => (
                <div key={does}>
                  <dt>{does}</dt>
                  <dd>
                    <Keys keys={keys} inTurn={inTurn} />
                    {or && (
                      <>
                        <span className="keys-then">or</span>
                        <Keys keys={or} />
                      </>
                    )}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
