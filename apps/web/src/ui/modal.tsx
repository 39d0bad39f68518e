import { OptionalPortal, Transition } from '@mantine/core';
import { useFocusTrap } from '@mantine/hooks';
import { X } from 'lucide-react';
import { useId } from 'react';
import type { FormEventHandler, ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { DialogBody } from './dialog-body.tsx';
import { useDialogLayer } from './use-dialog-layer.ts';
import { useFocusBack } from './use-focus-back.ts';
import popoverStyles from './popover.module.css';
import styles from './modal.module.css';

type ModalProps = {
  open: boolean;
  title: ReactNode;
  onClose: () => void;
  /** The buttons, the safe one first. */
  footer?: ReactNode;
  wide?: boolean;
  /** `palette`: the dialog is near the top and has no visible header. Its title is only for screen readers. */
  look?: 'dialog' | 'palette';
  withCloseButton?: boolean;
  /** Makes the dialog a form, so that Enter in a field presses the main button. */
  onSubmit?: FormEventHandler<HTMLFormElement>;
  children?: ReactNode;
};

/**
 * A dialog above the page. It traps the focus, closes with Escape, and then returns the focus. It first focuses the
 * element with `data-autofocus` or, without one, the first focusable element.
 */
export function Modal({
  open,
  title,
  onClose,
  footer,
  wide = false,
  look = 'dialog',
  withCloseButton = true,
  onSubmit,
  children,
}: ModalProps) {
  const titleId = useId();
  const trap = useFocusTrap(open);
  useFocusBack(open);
  useDialogLayer(open, onClose);
  const inner =
    look === 'palette' ? (
      <>
        <h2 className="vh" id={titleId}>
          {title}
        </h2>
        {children}
      </>
    ) : (
      <>
        <div className={styles.head}>
          <h2 id={titleId}>{title}</h2>
          {withCloseButton && <IconButton label="Close" icon={X} size="sm" onClick={onClose} />}
        </div>
        {children && <DialogBody>{children}</DialogBody>}
        {footer && <div className={styles.foot}>{footer}</div>}
      </>
    );
  return (
    <OptionalPortal>
      <Transition mounted={open} transition="fade" duration={120}>
        {(fade) => (
          <>
            <div className={styles.overlay} style={fade} />
            <div className={classNames(styles.inner, popoverStyles.dialogInner, look === 'palette' && styles.atTop)}>
              <section
                ref={trap}
                role="dialog"
                aria-modal="true"
                aria-labelledby={titleId}
                tabIndex={-1}
                className={classNames(styles.dialog, wide && styles.wide, look === 'palette' && styles.palette)}
                style={fade}
              >
                {onSubmit ? (
                  <form className={styles.form} onSubmit={onSubmit} noValidate>
                    {inner}
                  </form>
                ) : (
                  inner
                )}
              </section>
            </div>
          </>
        )}
      </Transition>
    </OptionalPortal>
  );
}
