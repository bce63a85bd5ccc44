import { describe, expect, it } from '@jest/globals';
import { ConnectionError, MillraceError } from '@millrace/client';
import { CliError, notFound } from './cli-error.js';
import { exitCodeOf } from './exit-code.js';

const response = (status: number, code = 'some_code') => new MillraceError(status, code, 'no', undefined, undefined);

describe('the exit code', () => {
  it.each<[string, unknown, number]>([
    ['wrong usage', new CliError('no'), 2],
    ['a rejected request', response(400), 2],
    ['a conflict', response(409), 2],
    ['a full disk', Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' }), 2],
    ['an expired token', response(401), 3],
    ['a missing permission', response(403), 3],
    ['a wrong password', response(400, 'invalid_credentials'), 3],
    ['a missing record', response(404), 4],
    ['a missing name', notFound('no'), 4],
    ['a server that is down', new ConnectionError('http://127.0.0.1:1', new Error('refused')), 5],
    ['a lost connection', new TypeError('terminated'), 5],
    ['a server that failed', response(503), 5],
    ['a proxy', response(404, 'http_404'), 5],
  ])('of %s', (_, error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });
});
