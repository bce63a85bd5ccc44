import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { validateWorkflow } from '@millrace/graph/check/validate-workflow';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { SAMPLE_WORKFLOW } from './sample-workflow.js';

const folder = mkdtempSync(join(tmpdir(), 'millrace-sample-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { data } = SAMPLE_WORKFLOW;
const plan = compilePlan(data, {});

/** Runs one of its scripts in `cwd`, as a worker would. */
function run(node: string, args: string[], cwd = folder): string {
  const program = plan.steps.find((step) => step.node === node)?.program;
  if (program?.kind !== 'script') throw new Error(`${node} is no script`);
  return execFileSync('bash', ['-c', program.source, node, ...args], { cwd, encoding: 'utf8' });
}

describe('the sample workflow', () => {
  it('is valid, and splits and gathers', () => {
    expect(validateWorkflow(data, {})).toEqual({ errors: [], warnings: [] });
    expect(plan.scopes).toHaveLength(1);
    expect(plan.primitives).toEqual({ 'string-input-1': { type: 'STRING', label: 'Folder', value: '/usr/bin' } });
    expect(plan.outputs).toEqual([{ label: 'Checksums', step: expect.any(Number) }]);
  });

  it('gathers the checksums of the files of a folder', () => {
    const input = join(folder, 'input');
    mkdirSync(join(input, 'no file'), { recursive: true });
    const names = ['b b', 'a', ...Array.from({ length: 12 }, (_, at) => `z${at}`)];
    for (const name of names) writeFileSync(join(input, name), name);
    const listed = run('list-1', [input]).trimEnd().split('\n');
    expect(listed).toHaveLength(12);
    listed.forEach((line, index) => {
      const place = join(folder, 'in/checksum-1', String(index + 1));
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, 'output.txt'), run('checksum-1', [line]));
    });
    const report = run('report-1', []).trimEnd().split('\n');
    expect(report).toHaveLength(12);
    expect(report[0]).toBe(`${createHash('sha256').update('a').digest('hex')}  ${join(input, 'a')}`);
  });

  it('lists nothing and does not fail if the folder is empty or missing', () => {
    expect(run('list-1', [join(folder, 'missing')])).toBe('');
  });
});
