import { expect, it } from '@jest/globals';
import { Command } from 'commander';
import { OPERATION_COMMANDS } from '../generated/operations.js';
import { addOperations } from './add-operations.js';

const NAMES_OF_SECRETS = /password|secret|^value$|^token$|refresh|ticket|device_code/;

it('no secret is an option, because other users can list the arguments of processes', () => {
  const fields = OPERATION_COMMANDS.flatMap(({ clientMethod, body }) =>
    body.map(({ name, isSecret = false }) => ({ name: `${clientMethod} ${name}`, isSecret, field: name })),
  );
  const secrets = fields.filter(({ field }) => NAMES_OF_SECRETS.test(field));
  expect(secrets.length).toBeGreaterThan(10);
  expect(secrets.filter(({ isSecret }) => !isSecret)).toEqual([]);
  const parent = new Command('secrets');
  addOperations(parent, 'secrets', { env: {} as never, exitCode: 0 });
  const create = parent.commands.find((command) => command.name() === 'create');
  const options = create?.options.map(({ long }) => long);
  expect(options).toEqual(expect.arrayContaining(['--name', '--data']));
  expect(options).not.toContain('--value');
});
