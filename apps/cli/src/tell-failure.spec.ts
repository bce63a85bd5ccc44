import { expect, it } from '@jest/globals';
import { MillraceError } from '@millrace/sdk/millrace-error';
import { CliFailure } from './cli-failure.js';
import { tellFailure } from './tell-failure.js';

it('a refusal is told with its details', async () => {
  const details = { 'body.name': 'too long', errors: [{ code: 'cycle', message: 'a cycle', hint: 'cut it' }] };
  expect(await tellFailure(new MillraceError(400, 'validation_error', 'Not valid', details, 'r1'))).toBe(
    'The server refused (validation_error): Not valid\n  body.name: too long\n  errors: \n    - a cycle (cut it)',
  );
});

it('a server error is told with the request to ask about', async () => {
  expect(await tellFailure(new MillraceError(500, 'internal_error', 'Oh', undefined, 'r1'))).toContain('(request r1)');
});

it('what the user can mend comes without a stack, a fault of ours with one', async () => {
  expect(await tellFailure(new CliFailure('There is no file x'))).toBe('There is no file x');
  expect(await tellFailure(new TypeError('bug'))).toContain('tell-failure.spec');
});
