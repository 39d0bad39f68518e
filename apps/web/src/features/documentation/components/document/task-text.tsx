import { hasMarkup, isSafeLink, isTooDeep } from '@stet/presentation/documentation';
import { Component, memo } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import Markdown from 'react-markdown';
import type { Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { fitted } from './fitted.ts';
import styles from './document.module.css';

const PLUGINS = [remarkGfm];
const BELOW_TITLE = [fitted(1)];
const BELOW_STEP = [fitted(2)];

type TaskTextProps = {
  text: string;
  /** Unique in the document, for example `step 3`. */
  place: string;
  /** The enclosing heading's level. */
  below: 1 | 2;
};

/**
 * A description, rendered as Markdown. HTML is shown as text, and images as their descriptions, without loading them.
 * Links only lead to web pages, email addresses and places in the text. If the text can't be parsed, it is shown as
 * typed.
 */
export const TaskText = memo(function TaskText({ text, place, below }: TaskTextProps) {
  const typed = (
    <p className={styles.taskText} dir="auto">
      {text}
    </p>
  );
  if (isTooDeep(text) || !hasMarkup(text)) return typed;
  return (
    <AsTyped text={typed}>
      <div className={styles.taskText}>
        <Markdown
          remarkPlugins={PLUGINS}
          rehypePlugins={below === 1 ? BELOW_TITLE : BELOW_STEP}
          // Each step needs its own footnote ids.
          remarkRehypeOptions={{ clobberPrefix: `${place.replaceAll(' ', '-')}-` }}
          urlTransform={(url) => (isSafeLink(url) || url.startsWith('#') ? url : '')}
          components={{ ...COMPONENTS, ...tablesOf(place) }}
        >
          {text}
        </Markdown>
      </div>
    </AsTyped>
  );
});

const COMPONENTS: Components = {
  a: ({ href, children }) => <TaskLink href={href}>{children}</TaskLink>,
  img: ({ alt }) => <em>[{alt?.trim() ? alt : 'image'}]</em>,
  p: ({ children }) => <p dir="auto">{children}</p>,
  input: ({ checked }) => (
    <span role="img" aria-label={checked ? 'Done' : 'Not done'}>
      {checked ? '☑' : '☐'}
    </span>
  ),
};

/** A wide table scrolls, so each table is a region with its own name that can be focused. */
const tablesOf = (place: string): Components => ({
  table: ({ node, children }) => (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div
      className={styles.taskTable}
      role="region"
      aria-label={`Table in ${place}, line ${node?.position?.start.line ?? 1}`}
      tabIndex={0}
    >
      <table>{children}</table>
    </div>
  ),
});

function TaskLink({ href, children }: Pick<ComponentProps<'a'>, 'href' | 'children'>) {
  if (!href) return <>{children}</>;
  if (href.startsWith('#')) return <a href={href}>{children}</a>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** If the Markdown parser throws, the text is shown as typed instead of crashing the page. */
class AsTyped extends Component<{ text: ReactNode; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError() {
    return { hasFailed: true };
  }
  override render() {
    return this.state.hasFailed ? this.props.text : this.props.children;
  }
}
