import { describe, expect, it } from '@jest/globals';
import { type InputType } from '../plan/plan.js';
import { readValue } from './read-value.js';

describe('a value of an input', () => {
  it.each<[InputType, unknown, string | boolean | null]>([
    ['STRING', 'x', 'x'],
    ['STRING', '', ''],
    ['STRING', 1.5, '1.5'],
    ['STRING', false, 'false'],
    ['STRING', null, null],
    ['BOOLEAN', true, true],
    ['BOOLEAN', 'false', false],
    ['BOOLEAN', undefined, null],
    ['FILE', '', null],
    ['FILE', 'https://example.org/a?b=c', 'https://example.org/a?b=c'],
    ['FILE', 'millrace://file/a b/ü.txt', 'millrace://file/a b/ü.txt'],
    ['FILE', 'millrace://output/0190a-1', 'millrace://output/0190a-1'],
    ['FOLDER', 'https://example.org/a.git', 'https://example.org/a.git'],
    ['FOLDER', 'http://example.org/a#release/1.2', 'http://example.org/a#release/1.2'],
    ['FOLDER', 'https://u:p@example.org/a.git#v1.0+x', 'https://u:p@example.org/a.git#v1.0+x'],
    ['FOLDER', 'millrace://file/a b/c', 'millrace://file/a b/c'],
    ['FOLDER', 'millrace://file/a b/c/', 'millrace://file/a b/c/'],
  ])('of type %s is read from %j', (type, raw, value) => {
    expect(readValue(type, raw)).toEqual({ value });
  });

  it.each<[InputType, unknown]>([
    ['STRING', {}],
    ['STRING', ['x']],
    ['STRING', 'a\u0000'],
    ['BOOLEAN', 'yes'],
    ['BOOLEAN', 1],
    ['FILE', 1],
    ['FILE', 'a.txt'],
    ['FILE', 'file:///etc/passwd'],
    ['FILE', 'https://'],
    ['FILE', 'http:///x'],
    ['FILE', 'millrace://file/'],
    ['FILE', 'millrace://file//a'],
    ['FILE', 'millrace://file/a/../../b'],
    ['FILE', `millrace://file/${'x'.repeat(1_025)}`],
    ['FILE', 'millrace://output/../x'],
    ['FOLDER', '/srv/git'],
    ['FOLDER', 'file:///srv/git'],
    ['FOLDER', '--upload-pack=touch /tmp/x'],
    ['FOLDER', 'ext::sh -c id'],
    ['FOLDER', 'ssh://-oProxyCommand=id/x'],
    ['FOLDER', 'ssh://git@example.org/a.git'],
    ['FOLDER', 'git://example.org/a.git'],
    ['FOLDER', 'git@example.org:a/b.git'],
    ['FOLDER', 'millrace://output/0190a-1'],
    ['FOLDER', 'millrace://file/../x'],
    ['FOLDER', 'https://example.org/a.git#--upload-pack=id'],
    ['FOLDER', 'https://example.org/a.git#a..b'],
    ['FOLDER', 'https://example.org/a.git#a:b'],
    ['FOLDER', 'https://example.org/a.git#HEAD@{1}'],
  ])('of type %s is not read from %j', (type, raw) => {
    expect(readValue(type, raw)).toEqual({ problem: expect.any(String) });
  });

  it('is shown in the problem without user, password and query', () => {
    expect(readValue('FOLDER', 'ftp://user:hunter2@example.org/a?token=hunter2')).toEqual({
      problem:
        'must be millrace://file/<folder> or the http(s) URL of a git repository (got "ftp://…@example.org/a?…")',
    });
  });
});
