import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { findDescendants } from './find-descendants.js';

it('findDescendants finds a process and all its descendants, also with misleading names', async () => {
  const grandchild = `exec -a ') R 1' sleep 60 & echo $!; wait`;
  const child = spawn('bash', ['-c', `bash -c "${grandchild.replaceAll('$', '\\$')}"; true`], { detached: true });
  try {
    const [printed] = (await once(child.stdout, 'data')) as [Buffer];
    const found = await findDescendants(child.pid ?? 0);
    expect(found).toHaveLength(3);
    expect([found[0], found[2]]).toEqual([child.pid, Number(printed.toString())]);
    expect(found).not.toContain(process.pid);
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }
});
