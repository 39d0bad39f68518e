import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './lib/paths.mjs';
import { readModule, refusalOfLayer, refusalOfSheet, utilities } from './lib/styles.mjs';

const WEB = path.join(ROOT, 'apps/web/src');
const files = fs.readdirSync(WEB, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll(path.sep, '/'));
const textOf = (file) => fs.readFileSync(path.join(WEB, file), 'utf8');

describe('a stylesheet', () => {
  it.each(['features/runs/components/a.css', 'screens/runs/a.css', 'app/shell.css', 'ui/button.css'])(
    'is refused if it isn’t a module (%s)',
    (sheet) => expect(refusalOfSheet(`apps/web/src/${sheet}`)).toContain('make it a module'),
  );
  it.each(['features/runs/components/a.module.css', 'ui/theme/tokens.css'])(
    'is accepted if it is a module or applies to every screen by intent (%s)',
    (sheet) => expect(refusalOfSheet(`apps/web/src/${sheet}`)).toBeUndefined(),
  );
});

describe('the layer of a module', () => {
  const layered = '@layer ui {\n  .a {\n    top: 0;\n  }\n}\n';
  it('is ui or composed for a component of ui', () => {
    expect(refusalOfLayer('apps/web/src/ui/a.module.css', layered)).toBeUndefined();
    expect(refusalOfLayer('apps/web/src/ui/a.module.css', layered.replace('ui', 'composed'))).toBeUndefined();
    expect(refusalOfLayer('apps/web/src/ui/a.module.css', '.a {\n  top: 0;\n}\n')).toContain('@layer ui');
    expect(refusalOfLayer('apps/web/src/ui/a.module.css', `${layered}.b {\n  top: 0;\n}\n`)).toContain('@layer ui');
  });
  it('is absent elsewhere', () => {
    expect(refusalOfLayer('apps/web/src/features/a/a.module.css', '.a {\n  top: 0;\n}\n')).toBeUndefined();
    expect(refusalOfLayer('apps/web/src/features/a/a.module.css', layered)).toContain('only the components of ui');
  });
});

describe('what is read from a module', () => {
  it('contains its classes', () => {
    const css = '/* .no */ .a > .b:is(.c, :global(.d)) {} @media print { .e[href=".f"]::after { content: "x" } }';
    expect([...readModule(css).classes]).toEqual(['a', 'b', 'c', 'e']);
  });
  it('contains the selectors without a class of the module', () => {
    const css =
      '.a:is(:global(.c) > i, u), h2 {} :global(.btn) {} :root:has(.b) {} @keyframes in { from { top: 0 } 50% { top: 1px } }';
    expect(readModule(css).unscoped).toEqual(['h2', ':global(.btn)']);
  });
});

describe('a global class', () => {
  it('is found in the selectors of a module, and is known only if it is a utility', () => {
    const css = '.a :global(.row), .b > :global(.cm-editor .btn) {}';
    expect([...readModule(css).globals]).toEqual(['row', 'cm-editor', 'btn']);
    expect(utilities()).toContain('row');
    expect(utilities()).not.toContain('btn');
  });
});

describe('each module of the app', () => {
  const users = files
    .filter((file) => file.endsWith('.tsx') || file.endsWith('.ts'))
    .map((file) => ({ file, text: textOf(file) }));
  it.each(files.filter((file) => file.endsWith('.module.css')))('is imported and has no unused class (%s)', (sheet) => {
    const name = path.posix.basename(sheet);
    const texts = users.filter(({ text }) => text.includes(`/${name}'`)).map(({ text }) => text);
    expect(texts, 'imported').not.toEqual([]);
    // If a file chooses a class by a value (`styles[state]`), any class of the module may be used.
    if (texts.some((text) => /[sS]tyles\[/.test(text))) return;
    const unused = [...readModule(textOf(sheet)).classes].filter(
      (each) => !texts.some((text) => new RegExp(`[sS]tyles\\.${each}\\b`).test(text)),
    );
    expect(unused).toEqual([]);
  });
});
