import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { setMetadata } from './file-metadata.js';

const METADATA = {
  workflow: 'w-2',
  version: 'v-2',
  version_number: 2,
  version_created_date: '2026-11-26T11:34:45.385Z',
};
const FILE = `# mine
millrace: 1
name:   Two words   # why
metadata:
  workflow: w-1
  version: 'v-1' # from
  version_number: 1
  version_created_date: 2026-01-01T00:00:00.000Z
data:
    nodes: {a: {type: SCRIPT, script: {source: "x"}}}
`;

describe('the metadata of a file', () => {
  it('is changed, and everything else stays byte for byte', () => {
    expect(setMetadata(FILE, METADATA)).toBe(
      FILE.replace('w-1', 'w-2')
        .replace("'v-1'", '"v-2"')
        .replace('number: 1', 'number: 2')
        .replace('2026-01-01T00:00:00.000Z', '2026-11-26T11:34:45.385Z'),
    );
  });

  it('leaves the text as it is if it is the same', () => {
    const once = setMetadata(FILE, METADATA);
    expect(setMetadata(once, METADATA)).toBe(once);
  });

  it('is added before the data if the file has none', () => {
    const text = 'millrace: 1\nname: a # b\n\n# the data\ndata:\n  nodes: {}\n';
    const changed = setMetadata(text, METADATA);
    expect(changed).toContain('name: a # b\n');
    expect(changed).toContain('# the data\n');
    expect(parse(changed)).toEqual({ millrace: 1, name: 'a', metadata: METADATA, data: { nodes: {} } });
  });

  it('is completed if the file has a part of it', () => {
    const changed = setMetadata('millrace: 1\nname: a\nmetadata:\n  owner: me\ndata: {}\n', METADATA);
    expect(parse(changed)).toMatchObject({ metadata: { owner: 'me', ...METADATA } });
  });

  it('is changed in JSON, which stays JSON', () => {
    const json = JSON.stringify(
      { millrace: 1, name: 'a', metadata: { ...METADATA, version: 'v-1' }, data: {} },
      null,
      2,
    );
    expect(setMetadata(json, METADATA)).toBe(json.replace('v-1', 'v-2'));
    const bare = JSON.stringify({ millrace: 1, name: 'a', data: {} });
    expect(JSON.parse(setMetadata(bare, METADATA))).toMatchObject({ metadata: METADATA });
  });
});
