import { Modal as MantineModal } from '@mantine/core';
import { X } from 'lucide-react';
import type { FormEventHandler, ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import './modal.css';

type ModalProps = {
  open: boolean;
  title: ReactNode;
  onClose: () => void;
  /** Buttons, the safe one first. */
  footer?: ReactNode;
  wide?: boolean;
  withCloseButton?: boolean;
  /** Makes the dialog a form, so that Enter in a field does what the main button does. */
  onSubmit?: FormEventHandler<HTMLFormElement>;
  children?: ReactNode;
};

/**
 * A dialog over the page: traps focus, closes with Escape, gives focus back. Focus starts on the element that
 * has `data-autofocus`, else on the first that can take it.
 */
export function Modal({ open, title, onClose, footer, wide = false, withCloseButton = true, onSubmit, children }: ModalProps) {
  const inner = (
    <>
      <header className="dialog-head">
        <MantineModal.Title>{title}</MantineModal.Title>
        {withCloseButton && <IconButton label="Close" icon={X} size="sm" onClick={onClose} />}
      </header>
      {children && <div className="dialog-body">{children}</div>}
      {footer && <footer className="dialog-foot">{footer}</footer>}
    </>
  );
  return (
    <MantineModal.Root opened={open} onClose={onClose} transitionProps={{ transition: 'fade', duration: 120 }}>
      <MantineModal.Overlay className="modal-overlay" />
      <MantineModal.Content className={classNames('dialog', wide && 'wide')} classNames={{ inner: 'modal-inner' }}>
        {onSubmit ? (
          <form className="dialog-in" onSubmit={onSubmit} noValidate>
            {inner}
          </form>
        ) : (
          inner
        )}
      </MantineModal.Content>
    </MantineModal.Root>
  );
}
