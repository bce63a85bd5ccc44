import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IsolationUnavailable, prepareIsolation } from './prepare-isolation.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-isolation-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('isolation', () => {
  it('is there where bubblewrap works', async () => {
    expect(await prepareIsolation('auto', folder)).toMatchObject({ mode: 'sandbox', reason: null });
  });

  it('without bubblewrap says what to install, or refuses where it is required', async () => {
    expect(await prepareIsolation('auto', folder, { searchPath: folder })).toMatchObject({
      mode: 'off',
      reason: expect.stringContaining('bubblewrap is not installed'),
    });
    await expect(prepareIsolation('required', folder, { searchPath: folder })).rejects.toThrow(IsolationUnavailable);
  });

  it('is not claimed where steps could read the data all the same', async () => {
    await expect(prepareIsolation('required', folder, { hidden: ['/usr/local/millrace'] })).rejects.toThrow(
      '/usr/local/millrace lies below /usr',
    );
  });

  it('can be switched off', async () => {
    expect(await prepareIsolation('off', folder)).toMatchObject({ mode: 'off', reason: 'isolation is switched off' });
  });
});
