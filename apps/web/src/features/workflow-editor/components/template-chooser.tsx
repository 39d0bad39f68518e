import { TEMPLATES } from '@stet/domain/workflows';
import type { Template } from '@stet/domain/workflows';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { useFocusBack } from '../../../ui/use-focus-back.ts';
import styles from './picker.module.css';

/** The templates as small pages that preview their steps. They are links, because each template has an address. */
export function TemplateChooser({ id, onClose }: { id: string; onClose: () => void }) {
  const section = useRef<HTMLElement>(null);
  useFocusBack(true);
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' });
    // The button that opens the chooser is right above it. Unless that button has the focus, focus the first template.
    if (document.activeElement?.getAttribute('aria-controls') !== id) section.current?.querySelector('a')?.focus();
  }, [id]);
  return (
    <section ref={section} className={styles.templates} id={id} aria-labelledby={`${id}-title`}>
      <div className={styles.templatesHead}>
        <h3 className="xs med" id={`${id}-title`}>
          Start from a template
        </h3>
        <LinkButton small onClick={onClose}>
          Close
        </LinkButton>
      </div>
      <ul className={styles.templateList}>
        {TEMPLATES.map((template) => (
          <li key={template.id}>
            <TemplateLeaf template={template} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function TemplateLeaf({ template }: { template: Template }) {
  return (
    <Link className={styles.template} to={paths.editor({ key: 'new', mode: 'edit', template: template.id })}>
      <span className={styles.leaf}>
        {template.steps.map((step, index) => (
          <span key={step.id}>
            <b aria-hidden="true">{index + 1}</b>
            <span>{step.title}</span>
          </span>
        ))}
      </span>
      <strong>{template.name}</strong>
      <small>{template.description}</small>
    </Link>
  );
}
