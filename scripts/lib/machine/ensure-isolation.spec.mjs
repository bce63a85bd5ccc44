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
/** A machine without bubblewrap. */
const without = () => ({ env, layout: layout(), report, searchPath: folder });

describe('ensureIsolation', () => {
  it('changes nothing on a machine that isolates, and leaves nothing behind', async () => {
    await ensureIsolation({ env, layout: layout(), report });
    expect([env, lines]).toEqual([{ CI: 'true' }, []]);
    expect(readdirSync(layout().work)).toEqual([]);
  });

  it('refuses a machine that cannot isolate if there is nobody to ask, and names the cause and the setting', async () => {
    const refused = ensureIsolation(without());
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(/bubblewrap is not installed.*\n.*set WORKER_ISOLATION=off/);
    expect(env.WORKER_ISOLATION).toBeUndefined();
  });

  it('takes WORKER_ISOLATION as the answer', async () => {
    env.WORKER_ISOLATION = 'off';
    await ensureIsolation(without());
    expect(env.WORKER_ISOLATION).toBe('off');
  });

  it('goes on without isolation only if the user says so', async () => {
    await expect(ensureIsolation({ ...without(), confirm: async () => false })).rejects.toThrow('WORKER_ISOLATION=off');
    /** @type {string[]} */
    const reasons = [];
    await ensureIsolation({ ...without(), confirm: async (reason) => reasons.push(reason) > 0 });
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
  ])('refuses %j with one sentence that names the setting and its values', (value, message) => {
    expect(() => checkIsolationSetting({ WORKER_ISOLATION: value })).toThrow(new UserError(message));
  });
});
