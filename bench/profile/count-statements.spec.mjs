import { expect, it } from '@jest/globals';
import { parseStatements } from './count-statements.mjs';

it('counts the statements of each service in the log of Postgres', () => {
  const log = [
    'millrace-runs|LOG:  execute millrace_1: ',
    '\tSELECT id FROM runs.run',
    '\tWHERE id = $1',
    "millrace-runs|DETAIL:  Parameters: $1 = '7'",
    'millrace-runs|LOG:  execute millrace_1: ',
    '\tSELECT id FROM runs.run',
    '\tWHERE id = $1',
    'millrace-auth|LOG:  statement: COMMIT',
    '[unknown]|LOG:  statement: SELECT 1',
    'millrace-runs|LOG:  statement: BEGIN',
    '',
  ].join('\n');
  expect(parseStatements(log)).toEqual(
    new Map([
      [
        'runs',
        new Map([
          ['SELECT id FROM runs.run WHERE id = $1', 2],
          ['BEGIN', 1],
        ]),
      ],
      ['auth', new Map([['COMMIT', 1]])],
    ]),
  );
});
