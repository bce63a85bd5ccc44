import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../lib/layout.mjs';
import { runCommand } from '../lib/run-command.mjs';

const RULES = ['names', 'classes', 'imports', 'files', 'phrases'];

/** Findings by file: a text that exactly one problem of the file contains, or null for a file without problems. */
const PLANTED = /** @type {[file: string, source: string, problem: string | null][]} */ ([
  ['key.ts', 'export const a = { toldBy: 1 };', '"toldBy"'],
  ['quoted-key.ts', "export const a = { 'told-by': 1 };", null],
  ['constant.ts', 'const patienceMs = 1;', '"patienceMs"'],
  ['destructured.ts', 'const { told } = input;', '"told"'],
  ['renamed.ts', 'const { mostRows: longestWait } = input;', '"longestWait"'],
  ['renamed-well.ts', 'const { mostRows: maxRows } = input;', null],
  ['default.ts', 'const { a: heard = 1 } = input;', '"heard"'],
  ['rest.ts', 'const [first, ...asked] = input;', '"asked"'],
  ['parameter.ts', 'class A { constructor(private readonly courier: string) {} }', '"courier"'],
  ['private.ts', 'class A { #told = 1; }', '"told"'],
  ['enum.ts', 'enum State { Heard }', '"Heard"'],
  ['export.ts', 'const sum = 1; export { sum as said };', '"said"'],
  ['use.ts', 'other.told(input.asked);', null],
  ['turn.ts', 'class TurnTable {}', '"TurnTable"'],
  ['lock.ts', 'function holdLock() {}', '"holdLock"'],
  ['hand.ts', 'const handOut = () => 1;', '"handOut"'],
  ['news.ts', 'const NEWS = 1;', '"NEWS"'],
  ['verb.ts', 'export class SetPassword {}', 'the verb "Set"'],
  ['verb.job.ts', 'export class VerbJob {}', null],
  ['error.ts', 'class Missing extends Error {}', 'ends in "Error"'],
  ['import.ts', "import { stopRun as stop } from '@millrace/contracts/runs/runs';", '"stopRun" as "stop"'],
  ['import-well.ts', "import { stopRun } from '@millrace/contracts/runs/runs';", null],
  ['runs.listener.ts', 'export class RunsHandler {}', 'not RunsListener'],
  ['apps/a/src/b.ts', 'export class BService {}', 'a .service.ts file'],
  ['apps/a/src/c.ts', 'export class CListener {}', 'a .listener.ts file'],
  ['apps/a/src/d.service.ts', 'export class DService {}', null],
  ['block.ts', '/**\n * It hands\n * out tasks.\n */', '"hands out"'],
  ['lines.ts', '// It hands\n// out tasks.', '"hands out"'],
  ['text.ts', 'const a = `It hands\n  out tasks`;', '"hands out"'],
]);

describe('the rules of plain language', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plain-language-'));
  /** @type {string[]} */
  let problems = [];
  beforeAll(async () => {
    for (const [file, source] of PLANTED) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `${source}\n`);
    }
    const config = {
      jsPlugins: [join(ROOT, 'scripts/lint/plain-language.mjs')],
      categories: { correctness: 'off' },
      rules: Object.fromEntries(RULES.map((rule) => [`plain-language/${rule}`, 'error'])),
    };
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config));
    const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint');
    const { output } = await runCommand(process.execPath, [oxlint, '--format', 'unix', '.'], { cwd: folder });
    problems = output.split('\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(PLANTED)('apply to %s: %j', (file, _, problem) => {
    const found = problems.filter((line) => line.replace('./', '').startsWith(`${file}:`));
    expect(found).toEqual(problem === null ? [] : [expect.stringContaining(problem)]);
  });
});
