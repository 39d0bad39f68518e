import { expect, test } from 'vitest';
import { readEditorAddress } from './editor-address.ts';
import type { EditorAddress } from './editor-address.ts';

test.each<[string, EditorAddress]>([
  ['', { mode: 'select' }],
  ['mode=select&key=vendor', { mode: 'select' }],
  ['key=vendor', { mode: 'select' }],
  ['mode=edit', { mode: 'select' }],
  ['mode=demo', { mode: 'demo' }],
  ['key=new&mode=edit&template=approval', { mode: 'edit', open: 'template', template: 'approval' }],
  ['key=new', { mode: 'edit', open: 'template', template: 'blank' }],
  ['key=new&mode=edit&duplicate=vendor', { mode: 'edit', open: 'duplicate', source: 'vendor' }],
  ['key=vendor&mode=edit', { mode: 'edit', open: 'workflow', key: 'vendor', draftId: null }],
  ['key=vendor&mode=edit&draftId=7', { mode: 'edit', open: 'workflow', key: 'vendor', draftId: '7' }],
  ['key=vendor&draftId=7', { mode: 'edit', open: 'workflow', key: 'vendor', draftId: '7' }],
])('parses ?%s as %j', (query, address) => {
  expect(readEditorAddress(new URLSearchParams(query))).toEqual(address);
});
