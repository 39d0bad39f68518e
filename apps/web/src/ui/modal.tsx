import { Modal as MantineModal } from '@mantine/core';
import { X } from 'lucide-react';
import type { FormEventHandler, ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { DialogBody } from './dialog-body.tsx';
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
  useFocusBack(open);
  const inner =
    look === 'palette' ? (
      <>
        <MantineModal.Title className="vh">{title}</MantineModal.Title>
        {children}
      </>
    ) : (
      <>
        <div className={styles.head}>
          <MantineModal.Title>{title}</MantineModal.Title>
          {withCloseButton && <IconButton label="Close" icon={X} size="sm" onClick={onClose} />}
        </div>
        {children && <DialogBody>{children}</DialogBody>}
        {footer && <div className={styles.foot}>{footer}</div>}
      </>
    );
  return (
    <MantineModal.Root
      opened={open}
      onClose={onClose}
      returnFocus={false}
      transitionProps={{ transition: 'fade', duration: 120 }}
      classNames={{
        inner: classNames(styles.inner, popoverStyles.dialogInner, look === 'palette' && styles.atTop),
        overlay: styles.overlay,
        content: classNames(styles.dialog, wide && styles.wide, look === 'palette' && styles.palette),
      }}
    >
      <MantineModal.Overlay />
      <MantineModal.Content>
        {onSubmit ? (
          <form className={styles.form} onSubmit={onSubmit} noValidate>
            {inner}
          </form>
        ) : (
          inner
        )}
      </MantineModal.Content>
    </MantineModal.Root>
  );
}
