import { Modal } from '../../../ui/modal.tsx';
import { type KeyLine, keyGroups } from '../model/key-list.ts';
import { Keys } from './keys.tsx';
import { SingleKeysSwitch } from './single-keys-switch.tsx';
import styles from './keys-dialog.module.css';
import keysStyles from './keys.module.css';

type KeysDialogProps = {
  everywhere: readonly KeyLine[];
  at: { pathname: string; search: string };
  onClose: () => void;
};

/** The switch for single-letter shortcuts, and all shortcuts, those of the current screen first. */
export function KeysDialog({ everywhere, at, onClose }: KeysDialogProps) {
  return (
    <Modal open wide title="Keyboard shortcuts" onClose={onClose}>
      <SingleKeysSwitch />
      <div className={styles.keyGroups}>
        {keyGroups(everywhere, at).map(({ title, lines }) => (
          <section key={title}>
            <h3 className={styles.keyTitle}>{title}</h3>
            <dl className={styles.keyLines}>
              {lines.map(({ keys, inTurn = false, or, does }) => (
                <div key={does}>
                  <dt>{does}</dt>
                  <dd>
                    <Keys keys={keys} inTurn={inTurn} />
                    {or && (
                      <>
                        <span className={keysStyles.keysThen}>or</span>
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
