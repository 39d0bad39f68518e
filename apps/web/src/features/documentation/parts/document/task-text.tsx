import { isMarked, isSafeLink, isTooDeep } from '@stet/domain/documentation';
import { Component, memo } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import Markdown from 'react-markdown';
import type { Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { fitted } from './fitted.ts';
import './task-text.css';

const PLUGINS = [remarkGfm];
const BELOW_TITLE = [fitted(1)];
const BELOW_STEP = [fitted(2)];

type TaskTextProps = {
  text: string;
  prefix: string;
  /** The level of the heading that it stands under. */
  below: 1 | 2;
};

/**
 * Task text, read as Markdown. Nothing in it can act: HTML is text, pictures are named and not loaded, links go to pages and
 * mail alone. What can't be read is shown as it was typed.
 */
export const TaskText = memo(function TaskText({ text, prefix, below }: TaskTextProps) {
  const typed = (
    <p className="task-text" dir="auto">
      {text}
    </p>
  );
  if (isTooDeep(text) || !isMarked(text)) return typed;
  return (
    <AsTyped text={typed}>
      <div className="task-text">
        <Markdown
          remarkPlugins={PLUGINS}
          rehypePlugins={below === 1 ? BELOW_TITLE : BELOW_STEP}
          // Each step has footnotes of its own.
          remarkRehypeOptions={{ clobberPrefix: `${prefix}-` }}
          urlTransform={(url) => (isSafeLink(url) || url.startsWith('#') ? url : '')}
          components={COMPONENTS}
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
  table: ({ children }) => (
    <div className="task-table" role="group" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
};

function TaskLink({ href, children }: Pick<ComponentProps<'a'>, 'href' | 'children'>) {
  if (!href) return <>{children}</>;
  if (href.startsWith('#')) return <a href={href}>{children}</a>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** A text that no reader of Markdown can read takes nothing else with it. */
class AsTyped extends Component<{ text: ReactNode; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError() {
    return { hasFailed: true };
  }
  override render() {
    return this.state.hasFailed ? this.props.text : this.props.children;
  }
}
