import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UserError } from '../report.mjs';
import { checkIsolationSetting, ensureIsolation } from './ensure-isolation.mjs';

/** @type {string} */
let folder;
/** @type {string[]} */
let lines;
/** @type {NodeJS.ProcessEnv} */
let env;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-ensure-'));
  [lines, env] = [[], { CI: 'true' }];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const report = (/** @type {string} */ line) => void lines.push(line);
const layout = () => ({ work: join(folder, 'work'), objects: join(folder, 'objects') });
/** Options for a machine without bubblewrap. */
const withoutBubblewrap = () => ({ env, layout: layout(), report, searchPath: folder });

describe('ensureIsolation', () => {
  it('changes nothing on a machine that can isolate steps, and leaves no files', async () => {
    await ensureIsolation({ env, layout: layout(), report });
    expect([env, lines]).toEqual([{ CI: 'true' }, []]);
    expect(readdirSync(layout().work)).toEqual([]);
  });

  it('rejects a machine that cannot isolate if it runs unattended, and names the cause and the setting', async () => {
    const result = ensureIsolation(withoutBubblewrap());
    await expect(result).rejects.toThrow(UserError);
    await expect(result).rejects.toThrow(/bubblewrap is not installed.*\n.*set WORKER_ISOLATION=off/);
    expect(env.WORKER_ISOLATION).toBeUndefined();
  });

  it('does not check the machine if steps run in containers', async () => {
    env.WORKER_EXECUTOR = 'docker';
    await ensureIsolation(withoutBubblewrap());
    expect(env.WORKER_ISOLATION).toBeUndefined();
  });

  it('does not check the machine if WORKER_ISOLATION is set', async () => {
    env.WORKER_ISOLATION = 'off';
    await ensureIsolation(withoutBubblewrap());
    expect(env.WORKER_ISOLATION).toBe('off');
  });

  it('continues without isolation only if the user confirms', async () => {
    await expect(ensureIsolation({ ...withoutBubblewrap(), confirm: async () => false })).rejects.toThrow(
      'WORKER_ISOLATION=off',
    );
    /** @type {string[]} */
    const reasons = [];
    await ensureIsolation({ ...withoutBubblewrap(), confirm: async (reason) => reasons.push(reason) > 0 });
    expect(reasons).toEqual([expect.stringContaining('bubblewrap is not installed')]);
    expect([env.WORKER_ISOLATION, lines]).toEqual(['off', [expect.stringContaining('without isolation')]]);
  });
});

describe('checkIsolationSetting', () => {
  it.each([undefined, '', 'required', 'off'])('accepts %j', (value) => {
    checkIsolationSetting(value === undefined ? {} : { WORKER_ISOLATION: value });
  });

  it.each([
    ['auto', 'WORKER_ISOLATION must be "required" or "off" (got "auto"; "auto" no longer exists).'],
    ['of', 'WORKER_ISOLATION must be "required" or "off" (got "of").'],
  ])('rejects %j with a sentence that names the setting and its values', (value, message) => {
    expect(() => checkIsolationSetting({ WORKER_ISOLATION: value })).toThrow(new UserError(message));
  });
});
