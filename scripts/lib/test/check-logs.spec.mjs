import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkLogs } from './check-logs.mjs';
import { findLeaks } from './find-leaks.mjs';

/** @type {string} */
let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leaks-'));
  mkdirSync(join(folder, 'logs', 'own'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (/** @type {string} */ name, /** @type {string} */ text) => writeFileSync(join(folder, name), text);

const check = (/** @type {string[]} */ ...expected) =>
  checkLogs({
    folders: [join(folder, 'logs'), join(folder, 'nowhere')],
    expected: expected.map((name) => join(folder, 'logs', name)),
    known: join(folder, 'known'),
    secrets: [join(folder, 'secrets.json')],
  });

const PASSWORD = 'correct horse "battery"';

describe('checkLogs', () => {
  it('accepts logs without secrets', () => {
    write('known', `${JSON.stringify(PASSWORD)}\n`);
    write('secrets.json', JSON.stringify({ redis: 'hidden-well', nats: { auth: 'hidden-too' } }));
    write('logs/auth.log', '{"msg":"ready"}\n{"msg":"Token expired"}\n');
    expect(check('auth.log')).toEqual([]);
  });

  it('names file and line of each secret, and does not repeat the secret', () => {
    write('known', `${JSON.stringify('other secret')}\n${JSON.stringify(PASSWORD)}\n`);
    write('logs/auth.log', `fine\n${JSON.stringify({ msg: `signs in with ${PASSWORD}` })}\n`);
    write('logs/own/runs.log.1', 'url=/?p=correct+horse+%22battery%22\n');
    const problems = check('auth.log');
    expect(problems).toHaveLength(2);
    expect(problems.join()).toContain(`${join(folder, 'logs/auth.log')}:2 contains a secret of the tests`);
    expect(problems.join()).toContain(`${join(folder, 'logs/own/runs.log.1')}:1 contains`);
    expect(problems.join()).toContain('signs in with ***');
    expect(problems.join()).not.toMatch(/correct|horse|battery/);
  });

  it('finds the texts of secrets.json', () => {
    write('secrets.json', JSON.stringify({ redis: 'hidden-well', nats: { auth: 'hidden-too' } }));
    write('logs/nats.log', 'user auth, password hidden-too\n');
    expect(check()).toEqual([expect.stringContaining('nats.log:1')]);
  });

  it('rejects expected logs that are empty or missing', () => {
    write('logs/auth.log', '');
    expect(check('auth.log', 'runs.log')).toEqual([
      expect.stringContaining('auth.log is missing or empty'),
      expect.stringContaining('runs.log is missing or empty'),
    ]);
  });
});

describe('findLeaks', () => {
  const part = 'x1Y2'.repeat(8);
  it.each([
    ['a JSON Web Token', `{"access":"eyJhbGciOiJF.eyJzdWIiOiJ1In0.${part}"}`],
    ['an Authorization header', `authorization: Bearer ${part}`],
    ['an Authorization header', `"authorization":"Token ${part}"`],
    ['a private key', '-----BEGIN EC PRIVATE KEY-----'],
    ['a cookie', `Set-Cookie: state=${part}; HttpOnly`],
    ['a cookie', `"cookie":"state=${part}"`],
    ['a URL with a password', `cannot reach postgresql://millrace:${part}@127.0.0.1:5432/x`],
    ['a URL with a password', `redis://:${part}@127.0.0.1:6379/0`],
  ])('finds %s', (kind, text) => {
    const [leak] = findLeaks(`first\n${text}\n`, []);
    expect(leak).toMatchObject({ line: 2, kind });
    expect(leak?.excerpt).not.toContain(part);
  });

  it.each([
    'Token regenerated for user 018f2c',
    'nats://127.0.0.1:4222',
    'postgresql://127.0.0.1:5432/millrace?user=x@y',
    'cookie: [redacted]',
    'authorization: Bearer [redacted]',
    'postgresql://millrace:[redacted]@127.0.0.1/x',
    'GET https://m.example:8080/api/runs 200',
  ])('accepts `%s`', (text) => {
    expect(findLeaks(text, [])).toEqual([]);
  });
});
