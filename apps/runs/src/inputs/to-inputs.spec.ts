import { describe, expect, it } from '@jest/globals';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { draw } from '@millrace/graph/testing/draw-workflow';
import type { Prisma } from '@millrace/persistence/generated/client';
import { toInputs } from './to-inputs.js';

const plan = compilePlan(
  draw()
    .primitive('s', 'STRING', 'default', 'Text')
    .primitive('b', 'BOOLEAN', false, 'Flag')
    .primitive('f', 'FILE', 'https://example.org/a.txt', 'List')
    .primitive('d', 'FOLDER', null, 'Code')
    .script('a-1')
    .wire('f', 'a-1.file')
    .wire('d', 'a-1.folder')
    .data(),
  {},
);
type Values = Prisma.JsonObject;
const file = { path: 'a.txt', sha256: 'a'.repeat(64), size: 3 };
const show = (inputs: Values, given?: Values) =>
  toInputs({ inputs, shownInputs: given ? { given, masked: [] } : null }, plan);
const resolved = (id: string, inputs: Values, given?: Values) =>
  show(inputs, given).resolved.find((input) => input.id === id);

describe('the inputs of a run', () => {
  it('leave out inputs without a value', () => {
    expect(show({}, {})).toEqual({ given: {}, resolved: [] });
  });

  it('have the default if the request gives no value, and an id has precedence over a label', () => {
    expect(resolved('s', { s: 'default' }, {})).toMatchObject({ value: 'default', given: false, label: 'Text' });
    expect(resolved('s', { s: 'by id' }, { Text: 'by label', s: 'by id' })).toMatchObject({
      value: 'by id',
      given: true,
    });
    expect(resolved('s', { s: '' }, { Text: '' })).toMatchObject({ value: '', given: true });
  });

  it('have no value if their content came with the request, and are marked as given', () => {
    const shownInputs = { given: { Text: 'a' }, masked: [], contents: ['List'] };
    const inputs = toInputs({ inputs: { f: { ...file, path: 'payload' }, s: 'a' }, shownInputs }, plan);
    expect(inputs.contents).toEqual(['List']);
    expect(inputs.resolved.find(({ id }) => id === 'f')).toEqual({
      ...{ id: 'f', label: 'List', type: 'FILE', given: true, name: 'payload', sha256: file.sha256, size: 3 },
    });
  });

  it('show the masked text instead of the stored one', () => {
    expect(resolved('s', { s: 'hunter22' }, { Text: '***' })).toMatchObject({ value: '***' });
  });

  it('show a flag that was given as text as a flag', () => {
    expect(resolved('b', { b: true }, { Flag: 'true' })).toMatchObject({ value: true, given: true });
  });

  it('show a file by its reference and content, whether it was given or is the default', () => {
    const content = { name: 'a.txt', sha256: file.sha256, size: 3 };
    expect(resolved('f', { f: file }, { List: 'millrace://file/a.txt' })).toEqual({
      ...{ id: 'f', label: 'List', type: 'FILE', given: true, value: 'millrace://file/a.txt' },
      ...content,
    });
    expect(resolved('f', { f: file }, { List: '' })).toMatchObject({
      given: false,
      value: 'https://example.org/a.txt',
    });
  });

  it('show only stored values for a run without recorded inputs', () => {
    expect(resolved('s', { s: 'other' })).toMatchObject({ value: 'other', given: true });
    expect(resolved('s', { s: 'default' })).toMatchObject({ value: 'default', given: false });
    const shown = resolved('f', { f: file });
    expect(shown).toMatchObject({ name: 'a.txt', sha256: file.sha256 });
    for (const unknown of ['given', 'value']) expect(shown).not.toHaveProperty(unknown);
  });

  it('show the masked copy of a file whose content contains a secret', () => {
    const shown = { sha256: 'b'.repeat(64), size: 2 };
    expect(resolved('f', { f: { ...file, shown } }, {})).toMatchObject(shown);
  });

  it('count the files of a folder', () => {
    const folder = { files: [file, { ...file, path: 'b' }] };
    expect(resolved('d', { d: { folder } }, { Code: 'millrace://file/x' })).toMatchObject({ files: 2, size: 6 });
    const manifest = { manifest: 'c'.repeat(64), count: 7 };
    expect(resolved('d', { d: { folder: manifest } }, { Code: 'millrace://file/x' })).toMatchObject({ files: 7 });
  });
});
