import { expect, test } from 'vitest';
import { readBuilderAddress, readEditorAddress } from './editor-address.ts';
import type { DocumentAddress, EditorAddress } from './editor-address.ts';

const edit = (document: DocumentAddress): EditorAddress => ({ mode: 'edit', document });

test.each<[string, EditorAddress]>([
  ['', { mode: 'select' }],
  ['mode=select&key=vendor', { mode: 'select' }],
  ['key=vendor', { mode: 'select' }],
  ['mode=edit', { mode: 'select' }],
  ['mode=demo', { mode: 'demo' }],
  ['key=new&mode=edit&template=approval', edit({ open: 'template', template: 'approval' })],
  ['key=new', edit({ open: 'template', template: 'blank' })],
  ['key=new&mode=edit&duplicate=vendor', edit({ open: 'duplicate', source: 'vendor', from: 'editor' })],
  ['key=vendor&mode=edit', edit({ open: 'workflow', key: 'vendor', draftId: null })],
  ['key=vendor&mode=edit&draftId=7', edit({ open: 'workflow', key: 'vendor', draftId: '7' })],
  ['key=vendor&draftId=7', edit({ open: 'workflow', key: 'vendor', draftId: '7' })],
])('parses the editor’s ?%s as %j', (query, address) => {
  expect(readEditorAddress(new URLSearchParams(query))).toEqual(address);
});

test.each<[string, DocumentAddress | null]>([
  ['builder=new', { open: 'empty' }],
  ['builder=new&duplicate=a', { open: 'duplicate', source: 'a', from: 'list' }],
  ['builder=edit&key=a', { open: 'workflow', key: 'a', draftId: null }],
  ['builder=view&key=a&draftId=d', { open: 'workflow', key: 'a', draftId: 'd', viewOnly: true }],
  ['builder=edit', null],
  ['builder=other&key=a', null],
  ['', null],
])('parses the builder’s ?%s as %j', (query, address) => {
  expect(readBuilderAddress(new URLSearchParams(query))).toEqual(address);
});
