import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseCommand } from './parse-command.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'join-'));
  writeFileSync(join(folder, 'token'), 'secret-token\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const URL_OF = 'https://millrace.example.org';

describe('millrace-worker', () => {
  it('joins with a token from an argument or a file, and with options or variables', () => {
    const command = parseCommand(
      [
        'join',
        URL_OF,
        't0',
        '--fleet',
        'gpu',
        '--labels',
        'gpu=true,zone=eu',
        '--sizes',
        'small',
        '--slots',
        '4',
        '--dir',
        '/d',
      ],
      {},
    );
    expect(command).toMatchObject({
      ...{ name: 'join', dir: '/d', token: 't0', fleet: 'gpu', labels: { gpu: 'true', zone: 'eu' }, sizes: ['small'] },
      ...{ slots: '4', run: true, ifNeeded: false, url: new URL(URL_OF) },
    });
    const variables = {
      MILLRACE_JOIN_URL: URL_OF,
      MILLRACE_JOIN_TOKEN_FILE: join(folder, 'token'),
      MILLRACE_WORKER_DIR: '/e',
    };
    expect(parseCommand(['join', '--if-needed'], variables)).toMatchObject({
      token: 'secret-token',
      dir: '/e',
      ifNeeded: true,
    });
    expect(parseCommand(['run', '--dir', '/d'], {})).toEqual({ name: 'run', dir: '/d' });
  });

  it('sends no token without TLS to another machine, unless this is allowed', () => {
    expect(() => parseCommand(['join', 'http://10.0.0.1', 't'], {})).toThrow('has no TLS');
    expect(parseCommand(['join', 'http://10.0.0.1', 't', '--allow-http'], {})).toMatchObject({ token: 't' });
    expect(parseCommand(['join', 'http://127.0.0.1:8080', 't'], {})).toMatchObject({ token: 't' });
  });

  it.each([
    [['join'], 'Name the address'],
    [['join', 'millrace.example.org', 't'], 'is not an address'],
    [['join', URL_OF], 'Name the join token'],
    [['join', URL_OF, '--token-file', '/none'], 'cannot be read'],
    [['join', URL_OF, 't', '--labels', 'gpu'], 'is not a list of labels'],
    [['join', URL_OF, 't', '--colour'], 'colour'],
    [['leave'], 'no command "leave"'],
  ])('explains what is wrong with %j', (args, message) => {
    expect(() => parseCommand(args, {})).toThrow(message);
  });
});
