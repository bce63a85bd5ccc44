import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { canHaveUserPerSlot } from '../testing/open-slot.js';
import { IsolationUnavailableError, prepareIsolation } from './prepare-isolation.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-isolation-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the isolation of steps', () => {
  it('uses sandboxes if bubblewrap works', async () => {
    expect(await prepareIsolation('required', folder)).toMatchObject({ mode: 'sandbox' });
  });

  it('is refused without bubblewrap, with the name of the package to install', async () => {
    const prepared = prepareIsolation('required', folder, { searchPath: folder });
    await expect(prepared).rejects.toThrow(IsolationUnavailableError);
    await expect(prepared).rejects.toThrow('bubblewrap is not installed');
  });

  it('is refused if sandboxed steps could still read the data', async () => {
    await expect(prepareIsolation('required', folder, { hidden: ['/usr/local/millrace'] })).rejects.toThrow(
      '/usr/local/millrace is below /usr',
    );
  });

  it('can be off; if the worker is root each slot then has a user of its own', async () => {
    expect(await prepareIsolation('off', folder)).toMatchObject({ mode: 'off', hasUserPerSlot: canHaveUserPerSlot() });
  });

  it('that is off runs commands as the user of the worker if other users cannot reach its folder', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(join(closed, 'worker-1'), { recursive: true });
    chmodSync(closed, 0o700);
    expect(await prepareIsolation('off', join(closed, 'worker-1'))).toMatchObject({
      mode: 'off',
      hasUserPerSlot: false,
    });
  });
});
