import { readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { MillraceError } from '@millrace/client';
import { CliError } from './cli-error.js';
import { describeFailure } from './describe-failure.js';

it('an error of the server is shown with its details', () => {
  const details = { 'body.name': 'too long', 'body.tags': ['a', 'b'] };
  expect(describeFailure(new MillraceError(400, 'validation_error', 'Not valid', details, 'r1'))).toBe(
    'The server rejected the request (validation_error): Not valid\n  body.name: too long\n  body.tags: \n    - a\n    - b',
  );
});

it('each problem of a workflow is shown once, with node, field and hint', () => {
  const errors = [
    { code: 'malformed', message: 'must be a number', node: 'a-1', path: 'nodes.a-1.retries', hint: 'use 3' },
    { code: 'cycle', message: 'the connections lead back' },
  ];
  const details = { 'body.data.nodes.a-1.retries': 'must be a number', 'body.data': 'the connections…', errors };
  expect(describeFailure(new MillraceError(400, 'validation_error', 'The workflow is not valid', details, 'r1'))).toBe(
    'The server rejected the request (validation_error): The workflow is not valid\n' +
      '  - node "a-1", field "retries": must be a number (use 3)\n  - the connections lead back',
  );
});

it('an error with status 500 is shown with its request ID', () => {
  expect(describeFailure(new MillraceError(500, 'internal_error', 'Oh', undefined, 'r1'))).toContain('(request r1)');
});

it('a refused token is shown with instructions to sign in', () => {
  expect(describeFailure(new MillraceError(401, 'unauthenticated', 'No', undefined, 'r1'))).toContain('millrace login');
});

it('the message of an expected failure is shown unmodified', () => {
  expect(describeFailure(new CliError('The file x does not exist.'))).toBe('The file x does not exist.');
});

it('an error of the operating system is described in words, with one path', async () => {
  const folder = join(tmpdir(), 'millrace-nowhere', 'deep');
  const errorOf = (work: Promise<unknown>) => work.then(String, (error: unknown) => describeFailure(error));
  expect(await errorOf(readFile(join(folder, 'x')))).toBe(
    `Cannot open ${join(folder, 'x')}: no such file or folder exists.`,
  );
  expect(await errorOf(rename(join(folder, 'x.1'), join(folder, 'x')))).toBe(
    `Cannot replace ${join(folder, 'x')}: no such file or folder exists.`,
  );
});

it.each([
  new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') }),
  new TypeError('terminated'),
  new DOMException('The server did not respond within 30000 ms', 'TimeoutError'),
])('a lost connection is described with its reason: %s', (error) => {
  expect(describeFailure(error)).toMatch(/^The connection to the server was lost \(.+\)\. Check that the server runs/);
});

it('an unexpected error is shown with a stack only on request', () => {
  const description = describeFailure(new TypeError('x is not a function'));
  expect(description).toContain('x is not a function');
  expect(description).toContain('MILLRACE_TRACE=1');
  expect(description).not.toContain('describe-failure.spec');
  expect(describeFailure(new TypeError('x is not a function'), true)).toContain('describe-failure.spec');
});
