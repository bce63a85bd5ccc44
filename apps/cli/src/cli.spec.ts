import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { restOperations } from '@millrace/contracts/registry';
import { buildProgram, listCommands } from './cli.js';
import { COMMANDS } from './commands.js';
import { complete } from './commands/completion.js';
import { readEnv } from './env.js';
import { OPERATION_COMMANDS } from './generated/operations.js';

const context = () => ({ env: readEnv({}), exitCode: 0 });
const program = await buildProgram(context());
const all = listCommands(program);

/** Commands without `--json`, with the reason. */
const WITHOUT_JSON: Record<string, string> = {
  completion: 'prints a script',
  mcp: 'speaks a protocol of its own',
  shell: 'is interactive; `sandbox exec` runs one command',
};

/** Operations that no client calls, with the reason. */
const FOR_NO_CLIENT: Record<string, string> = {
  'billing.stripeEvents.take': 'the payment provider sends signed requests',
};

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}

describe('every command', () => {
  it('has a description, and an example in its help', () => {
    const bad = all.filter(
      (command) => command.description() === '' || !/\nExamples?:\n {2}millrace /.test(helpOf(command)),
    );
    expect(bad.map((command) => `${command.parent?.name()} ${command.name()}`)).toEqual([]);
  });

  it('has --json, or a reason not to', () => {
    const actions = all.filter(
      (command) => command.commands.length === 0 && WITHOUT_JSON[command.name()] === undefined,
    );
    const bad = actions.filter((command) => !command.options.some(({ long }) => long === '--json'));
    expect(bad.map((command) => `${command.parent?.name()} ${command.name()}`)).toEqual([]);
  });

  it('has the description of the list of commands', () => {
    const found = COMMANDS.map(({ name }) =>
      program.commands.find((command) => command.name() === name)?.description(),
    );
    expect(found).toEqual(COMMANDS.map(({ description }) => description));
  });
});

describe('every operation', () => {
  it('of the contract has a command', () => {
    const covered = new Set(OPERATION_COMMANDS.map(({ operation }) => operation));
    const missing = restOperations.filter(({ name, transfer }) => !covered.has(name) && transfer !== 'signed');
    expect(missing.map(({ name }) => name)).toEqual([]);
    for (const { resource, name } of OPERATION_COMMANDS) {
      const parent = program.commands.find((command) => command.name() === resource);
      expect([resource, parent?.commands.some((command) => command.name() === name)]).toEqual([resource, true]);
    }
  });

  it('without a command has a reason', () => {
    const missing = restOperations.filter(({ transfer }) => transfer === 'signed').map(({ name }) => name);
    expect(missing.toSorted()).toEqual(Object.keys(FOR_NO_CLIENT).toSorted());
  });

  it('that a hand-written command names exists', async () => {
    const known = new Set(OPERATION_COMMANDS.map(({ clientMethod }) => clientMethod));
    const files = readdirSync(new URL('commands/', import.meta.url)).filter((name) => /^[a-z-]+\.ts$/.test(name));
    for (const file of files) {
      const { OPERATIONS = [] } = (await import(`./commands/${file.replace(/\.ts$/, '.js')}`)) as {
        OPERATIONS?: string[];
      };
      expect([file, OPERATIONS.filter((name) => !known.has(name))]).toEqual([file, []]);
    }
  });
});

describe('completion', () => {
  const values: Record<string, string[]> = { run: ['41', '42', '7'], workflow: ['Port scan'], profile: ['work'] };
  const completed = (...words: string[]) => complete(program, words, (name) => Promise.resolve(values[name] ?? []));

  it.each([
    [['who'], ['whoami']],
    [['run', 'sto'], ['stop']],
    [['stop', '42', '--no'], ['--nodes']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [
      ['run', 'stop', '4'],
      ['41', '42'],
    ],
    [
      ['stop', '--nodes', 'a-1', '4'],
      ['41', '42'],
    ],
    [['stop', '42', ''], []],
    [['pull', 'Po'], ['Port scan']],
    [['runs', '--profile', ''], ['work']],
    [['--profile', 'work', 'whoa'], ['whoami']],
    [['output', '42', '--dir', ''], []],
  ])('of %j is %j', async (words, expected) => {
    expect(await completed(...words)).toEqual(expected);
  });
});
